import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MailServer } from '../../server/identity/mail/mailer.ts';

type Teardown = { teardown(handler: () => Promise<void>): void };

/** A received mail: recipients of the envelope, and the whole message (RFC 5322). */
export type Received = { from: string; to: string[]; raw: string };

export type TestMailServer = {
  server: MailServer;
  received: Received[];
  /** Waits for the n-th mail, from 1. */
  mail: (number: number) => Promise<Received>;
  /** Waits for the first mail with a matching text. */
  mailSaying: (words: RegExp) => Promise<Received>;
};

/** Starts a real mail server on the loopback interface, without TLS by default. */
export async function startMailServer(
  t: Teardown,
  { tls = 'none', ...options }: SMTPServerOptions & { tls?: MailServer['tls'] } = {},
): Promise<TestMailServer> {
  const received: Received[] = [];
  const arrivals = new EventTarget();
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: tls === 'none' ? ['STARTTLS'] : [],
    secure: tls === 'implicit',
    onData: (stream, { envelope }, done) => {
      void text(stream).then((raw) => {
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ from: envelope.mailFrom ? envelope.mailFrom.address : '', to, raw });
        done();
        arrivals.dispatchEvent(new Event('mail'));
      });
    },
    ...options,
  });
  // Errors of hostile clients and refused certificates are expected.
  smtp.on('error', () => undefined);
  const listener = smtp.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.teardown(() => new Promise((resolve) => smtp.close(() => resolve())));
  const address = listener.address();
  const { port }: Pick<AddressInfo, 'port'> = typeof address === 'object' && address ? address : { port: 0 };
  return {
    server: { host: '127.0.0.1', port, tls },
    received,
    async mail(number) {
      while (received.length < number) await once(arrivals, 'mail');
      const found = received[number - 1];
      if (!found) throw new Error('no such mail');
      return found;
    },
    async mailSaying(words) {
      const find = () => received.find((mail) => words.test(partsOf(mail).text));
      let found = find();
      while (!found) {
        await once(arrivals, 'mail');
        found = find();
      }
      return found;
    },
  };
}

/** The body parts of a mail, decoded: base64 or quoted-printable (RFC 2045). */
export function partsOf({ raw }: Received): { headers: string; text: string; html: string } {
  const [headers = ''] = raw.split('\r\n\r\n');
  const part = (type: string): string => {
    const found = new RegExp(`Content-Type: ${type}[^]*?\r\n\r\n([^]*?)\r\n--`, 'i').exec(raw);
    const encoding = new RegExp(`Content-Type: ${type}[^]*?Content-Transfer-Encoding: (\\S+)`, 'i').exec(
      raw,
    )?.[1];
    return decoded(found?.[1] ?? '', encoding ?? '7bit');
  };
  return {
    headers: headers.replaceAll(/\r\n[ \t]+/g, ' '),
    text: part('text/plain'),
    html: part('text/html'),
  };
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** The link for a new password in a mail. */
export function linkIn(mail: Received): string {
  const [link] = /https?:\/\/\S+#[\w-]+/.exec(partsOf(mail).text) ?? [];
  if (link === undefined) throw new Error('the mail holds no link');
  return link;
}
