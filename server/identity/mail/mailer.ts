import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import { isMailAddress } from '../../../shared/mail-address.ts';
import { trustIn } from '../../http/outgoing.ts';

export type MailServer = {
  host: string;
  port: number;
  /** `implicit`: TLS from the first byte; `starttls`: required before anything else; `none`: plain text. */
  tls: 'implicit' | 'starttls' | 'none';
  user?: string;
  password?: string;
};

export type MailSettings = {
  server: MailServer;
  /** Sender: an address, or a name with an address in angle brackets. */
  from: string;
  /** Name of the deployment, if configured. */
  siteName?: string | undefined;
  /** PEM of a private certificate authority. */
  ca?: string | undefined;
  /** Timeout in milliseconds for each step of a delivery. */
  timeout?: number;
};

export type Mail = { to: string; subject: string; text: string; html: string };
type Delivery = {
  messageId: string;
  /** Address for one-click unsubscribe (RFC 8058), for mails that one can do without. */
  unsubscribe?: string | undefined;
  /** Awaited when the server is ready for the message, before its first byte; an error aborts the delivery. */
  beforeHandover: () => Promise<void>;
};
export type Mailer = {
  /** Name of the deployment for `mailTexts`. */
  siteName?: string | undefined;
  /** @throws Error of the connection or the mail server, or of `beforeHandover` */
  send(mail: Mail, delivery: Delivery): Promise<void>;
};

const TIMEOUT = 5000;

/** As nodemailer reports a recipient that a server refuses for good (RFC 5321 section 4.2.3). */
const UNDELIVERABLE = { code: 'EENVELOPE', responseCode: 553 };

/** Sends mails over SMTP (RFC 5321) with verified certificates. */
export function createMailer({ server, from, siteName, ca, timeout = TIMEOUT }: MailSettings): Mailer {
  const { host, port, tls, user, password } = server;
  const settings = {
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: trustIn(ca),
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    siteName,
    send: async ({ to, ...mail }, delivery) => {
      // Of accounts from before this grammar, or of directories.
      if (!isMailAddress(to)) throw Object.assign(new Error('no mail address'), UNDELIVERABLE);
      const transport = createTransport(settings);
      // As an object it is always one address, whatever it contains.
      const message = { from, to: { name: '', address: to }, ...mail };
      const { messageId, unsubscribe, beforeHandover } = delivery;
      transport.use('stream', ({ message: built }, done) => {
        const open = built.createReadStream.bind(built);
        // The stream is first read after the server has answered DATA with 354.
        built.createReadStream = () => Readable.from(after(beforeHandover, open), { objectMode: false });
        done();
      });
      await transport.sendMail({
        ...message,
        messageId,
        ...(unsubscribe !== undefined && {
          headers: {
            'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
        }),
      });
    },
  };
}

async function* after(before: () => Promise<void>, open: () => Readable): AsyncGenerator<Buffer> {
  await before();
  yield* open();
}
