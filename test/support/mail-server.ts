import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MailServer } from '../../server/identity/mail/mailer.ts';

type Teardown = { teardown(handler: () => Promise<void>): void };

/** A message (RFC 5322), decoded: its headers one a line, and both of its bodies. */
export type Mail = { headers: string; text: string; html: string };

/** A received mail: recipients of the envelope, and the message, also as it came. */
export type Received = Mail & { from: string; to: string[]; raw: string };

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
      void text(stream).then(async (raw) => {
        const to = envelope.rcptTo.map(({ address }) => address);
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        received.push({ ...(await parseMail(raw)), from, to, raw });
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
      const find = () => received.find((mail) => words.test(mail.text));
      let found = find();
      while (!found) {
        await once(arrivals, 'mail');
        found = find();
      }
      return found;
    },
  };
}

export async function parseMail(raw: string): Promise<Mail> {
  const { headers, text = '', html = '' } = await PostalMime.parse(raw);
  const lines = headers.map(({ originalKey, value }) => `${originalKey}: ${value}`);
  return { headers: lines.join('\n'), text, html };
}

/** The link for a new password in a mail. */
export function linkIn(mail: Mail): string {
  const [link] = /https?:\/\/\S+#[\w-]+/.exec(mail.text) ?? [];
  if (link === undefined) throw new Error('the mail holds no link');
  return link;
}
