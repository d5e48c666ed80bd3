import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import { trustIn } from '../../http/outgoing.ts';

/** A mail server and how it is reached. */
export type MailServer = {
  host: string;
  port: number;
  /** `implicit`: TLS from the first byte; `starttls`: demanded before anything is said; `none`: in the clear. */
  tls: 'implicit' | 'starttls' | 'none';
  user?: string;
  password?: string;
};

export type MailSettings = {
  server: MailServer;
  /** The sender: an address, or a name and an address in angle brackets. */
  from: string;
  /** What the deployment calls itself, if it has a name of its own. */
  siteName?: string | undefined;
  /** PEM of a private authority. */
  ca?: string | undefined;
  /** Milliseconds that each step of a delivery may take. */
  timeout?: number;
};

export type Mail = { to: string; subject: string; text: string; html: string };
type Delivery = {
  messageId: string;
  /** Ends mails of this kind by a POST, without asking anything (RFC 8058). */
  unsubscribe: string;
  /** Awaited once the server is ready for the message, before its first byte; what it throws ends the delivery. */
  beforeHandover: () => Promise<void>;
};
export type Mailer = {
  /** For the words of mails, see `mailTexts`. */
  siteName?: string | undefined;
  /** @throws Error of the connection or the mail server, or of `beforeHandover` */
  send(mail: Mail, delivery?: Delivery): Promise<void>;
};

const TIMEOUT = 5000;

/** Sends mails by a mail server (RFC 5321). Certificates are verified. */
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
      const transport = createTransport(settings);
      // As an object the address is one address, whatever stands in it.
      const message = { from, to: { name: '', address: to }, ...mail };
      if (!delivery) return void (await transport.sendMail(message));
      const { messageId, unsubscribe, beforeHandover } = delivery;
      transport.use('stream', ({ message: built }, done) => {
        const open = built.createReadStream.bind(built);
        // It is read from when the server has answered DATA with 354, and not before.
        built.createReadStream = () => Readable.from(behind(beforeHandover, open), { objectMode: false });
        done();
      });
      await transport.sendMail({
        ...message,
        messageId,
        headers: {
          'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      });
    },
  };
}

async function* behind(before: () => Promise<void>, open: () => Readable): AsyncGenerator<Buffer> {
  await before();
  yield* open();
}
