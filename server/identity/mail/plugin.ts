import type { FastifyInstance } from 'fastify';
import { measureQueues } from '../../http/gauges.ts';
import { sendDueAccountMail } from './account-mails.ts';
import { sendDueMail, serveNoticeMails, startSending } from './queue.ts';
import { countWaitingMails } from './store.ts';

/**
 * Mails. `mails` writes them in six languages, `queue` sends what waits and asks what people want, `account-mails` are those
 * about an account, the others are the marketplace's notices.
 */
export async function mail(app: FastifyInstance): Promise<void> {
  const { identity, log } = app;
  const { db, mailer, registry } = identity;
  serveNoticeMails(app);
  measureQueues(app, { registry, log }, [
    {
      name: 'identity_mails_waiting',
      help: 'Mails that the mail server has not accepted yet',
      count: () => countWaitingMails(db),
    },
  ]);
  if (mailer) startSending(app, { ...identity, mailer, log }, [sendDueAccountMail, sendDueMail]);
}
