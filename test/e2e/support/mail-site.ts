import tap from 'tap';
import { type Received, startMailServer } from '../../support/mail-server.ts';
import { until } from '../../support/until.ts';
import { ownDemo, type Product } from './product.ts';

type MailSite = Product & {
  received: readonly Received[];
  /** Waits for the n-th mail to an address, from 1. */
  mailTo(address: string, place?: number): Promise<Received>;
  /** Waits for a mail with this text. */
  mailSaying(words: RegExp): Promise<Received>;
};

let started: Promise<MailSite> | undefined;

/** The product of this process that sends mail. Its accounts are deleted without a delay. */
export function sharedMailSite(): Promise<MailSite> {
  started ??= start();
  return started;
}

async function start(): Promise<MailSite> {
  const { server, received, mailSaying } = await startMailServer(tap);
  const product = await ownDemo(tap, {
    ACCOUNT_DELETION_DELAY: '0s',
    SMTP_URL: `smtp://${server.host}:${server.port}?tls=none`,
    MAIL_FROM: 'Plugin Square <square@example.com>',
  });
  const mailTo = (address: string, place = 1) =>
    until(() => received.filter(({ to }) => to.includes(address))[place - 1]);
  return { ...product, received, mailTo, mailSaying };
}
