import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { NOTICE_MAILS_AT_ONCE, noticeMailCalls, TakenMails } from '../../../../shared/identity-calls.ts';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import type { AskIdentity } from '../auth/owner-rights.ts';
import { insertNotices, markExpiringTokens, markMailed, readUnmailed } from './store.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Time before the expiry of a token, milliseconds, at which its owner is notified the first and the second time. */
const EXPIRES_WITHIN = [7 * DAY, DAY] as const;
const TOKEN_BATCH = 100;
const TOKENS_INTERVAL = 60_000;
const MAILS_INTERVAL = 5000;
const MAILS_INTERVAL_MAX = 60_000;
/** Notices that the user service has not accepted for this time, milliseconds, are not mailed any more. */
const MAIL_AGE_MAX = 3 * DAY;

type NoticeContext = { db: Db; now: () => number };
type MailContext = NoticeContext & { ask: AskIdentity };
type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>;

/** Notifies the owners of publish tokens that expire soon, at most twice. @returns number of notices */
export async function notifyOfExpiringTokens(db: Db, now: () => number): Promise<number> {
  let notified = 0;
  for (const [index, within] of [...EXPIRES_WITHIN.entries()].reverse()) {
    for (let count = TOKEN_BATCH; count === TOKEN_BATCH; notified += count) {
      const at = new Date(now());
      count = await db.transaction().execute(async (trx) => {
        const wanted = { stage: index + 1, within, now: at, limit: TOKEN_BATCH };
        const tokens = await markExpiringTokens(trx, wanted);
        const notices = tokens.map(({ user_id: userId, name, plugin_key, expires_at }) => ({
          userId,
          kind: 'token_ending' as const,
          data: {
            token_name: name,
            ends_at: expires_at.toISOString(),
            ...(plugin_key !== null && { plugin_key }),
          },
        }));
        await insertNotices(trx, notices, at);
        return tokens.length;
      });
    }
  }
  return notified;
}

/** Notifies the owners of expiring tokens while the app listens. */
export function startTokenNotices(app: FastifyInstance, { db, now }: NoticeContext, log: Log): void {
  repeatWhileListening(app, {
    every: TOKENS_INTERVAL,
    log,
    failed: 'notices of expiring publish tokens failed',
    recovered: 'owners of expiring publish tokens are notified again',
    async run() {
      await notifyOfExpiringTokens(db, now);
    },
  });
}

/**
 * Sends notices to the user service, which knows the mail addresses. Each mail has a key, so that it may be sent repeatedly:
 * by several instances, or after a lost response.
 * @returns number of notices
 * @throws SERVICE_UNAVAILABLE when the user service does not respond
 */
export async function forwardMails({ db, ask, now }: MailContext): Promise<number> {
  const rows = await readUnmailed(db, NOTICE_MAILS_AT_ONCE);
  if (rows.length === 0) return 0;
  const mail_list = rows
    .filter(({ created_at }) => created_at.getTime() > now() - MAIL_AGE_MAX)
    .map(({ id: _id, mail_key: key, created_at, ...mail }) => ({
      ...mail,
      key,
      created_at: created_at.getTime(),
    }));
  if (mail_list.length > 0) await ask(noticeMailCalls.take, TakenMails, { body: { mail_list } });
  await markMailed(
    db,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

/** Sends mails while the app listens; while the user service fails, at growing intervals. */
export function startMails(app: FastifyInstance, context: MailContext, log: Log): void {
  repeatWhileListening(app, {
    every: MAILS_INTERVAL,
    longest: MAILS_INTERVAL_MAX,
    log,
    failed: 'the user service did not accept mails',
    recovered: 'the user service accepts mails again',
    async run() {
      while ((await forwardMails(context)) === NOTICE_MAILS_AT_ONCE);
    },
  });
}
