import { createTransport } from 'nodemailer';
import type { MailServer } from '../../../shared/mail-server.ts';
import { trustIn } from '../../http/outgoing.ts';

export type MailSettings = {
  server: MailServer;
  /** The sender: an address, or a name and an address in angle brackets. */
  from: string;
  /** PEM of a private authority. */
  ca?: string | undefined;
  /** Milliseconds that each step of a delivery may take. */
  patience?: number;
};

export type Mail = { to: string; subject: string; text: string; html: string };
export type Mailer = {
  /** @throws Error of the connection or the mail server */
  send(mail: Mail): Promise<void>;
};

const PATIENCE = 5000;

/** Sends mails by a mail server (RFC 5321). Certificates are verified. */
export function createMailer({ server, from, ca, patience = PATIENCE }: MailSettings): Mailer {
  const { host, port, tls, user, password } = server;
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: trustIn(ca),
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    dnsTimeout: patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, ...mail }) => {
      // As an object the address is one address, whatever stands in it.
      await transport.sendMail({ from, to: { name: '', address: to }, ...mail });
    },
  };
}
