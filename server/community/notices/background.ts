import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { NOTICE_MAILS_AT_ONCE, noticeMailCalls, TakenMails } from '../../../shared/identity-calls.ts';
import { repeatWhileListening } from '../../http/app.ts';
import type { AskIdentity } from '../auth/owner-rights.ts';
import type { Db } from '../schema.ts';
import { insertNotices, readToMail, setTaken, takeEndingTokens } from './store.ts';

const DAY = 24 * 60 * 60 * 1000;
/** How long before its end, milliseconds, the owner of a token is told, the first time and the second. */
const ENDING_WITHIN = [7 * DAY, DAY] as const;
const TOKENS_AT_ONCE = 100;
const ENDING_TOKENS_EVERY = 60_000;
const MAILS_EVERY = 5000;
const MAILS_AT_LEAST_EVERY = 60_000;
/** What could not be handed to the user service for so long, milliseconds, is not mailed any more. */
const MAILED_WITHIN = 3 * DAY;

type Telling = { db: Db; now: () => number };
type Mailing = Telling & { ask: AskIdentity };
type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>;

/** Tells the owners of publish tokens that are about to end, twice at most. @returns how many were told */
export async function tellOfEndingTokens(db: Db, now: () => number): Promise<number> {
  let told = 0;
  for (const [index, within] of [...ENDING_WITHIN.entries()].reverse()) {
    for (let count = TOKENS_AT_ONCE; count === TOKENS_AT_ONCE; told += count) {
      const at = new Date(now());
      count = await db.transaction().execute(async (trx) => {
        const wanted = { stage: index + 1, within, now: at, limit: TOKENS_AT_ONCE };
        const tokens = await takeEndingTokens(trx, wanted);
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
  return told;
}

/** Tells owners of tokens that are about to end, while the app listens. */
export function tellRegularly(app: FastifyInstance, telling: Telling, log: Log): void {
  const tell = async () => {
    await tellOfEndingTokens(telling.db, telling.now).catch((error: unknown) =>
      log.warn({ err: error }, 'owners of publish tokens could not be told of their end'),
    );
    return ENDING_TOKENS_EVERY;
  };
  repeatWhileListening(app, tell);
}

/**
 * Hands the user service, which knows addresses, what people are to be mailed. Each mail has a key, so that several
 * instances, and one that got no answer, may hand it over again.
 * @returns how many
 * @throws SERVICE_UNAVAILABLE when the user service does not answer
 */
export async function forwardMails({ db, ask, now }: Mailing): Promise<number> {
  const rows = await readToMail(db, NOTICE_MAILS_AT_ONCE);
  if (rows.length === 0) return 0;
  const mail_list = rows
    .filter(({ created_at }) => created_at.getTime() > now() - MAILED_WITHIN)
    .map(({ id: _id, mail_key: key, created_at, ...mail }) => ({
      ...mail,
      key,
      created_at: created_at.getTime(),
    }));
  if (mail_list.length > 0) await ask(noticeMailCalls.take, TakenMails, { body: { mail_list } });
  await setTaken(
    db,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

/** Hands mails over while the app listens; while the user service does not answer, ever less often. */
export function forwardRegularly(app: FastifyInstance, mailing: Mailing, log: Log): void {
  let failures = 0;
  const forward = async () => {
    try {
      while ((await forwardMails(mailing)) === NOTICE_MAILS_AT_ONCE);
      if (failures > 0) log.info('the user service takes mails again');
      failures = 0;
    } catch (error) {
      if (failures === 0) log.warn({ err: error }, 'the user service did not take mails');
      failures += 1;
    }
    return Math.min(MAILS_EVERY * 2 ** failures, MAILS_AT_LEAST_EVERY);
  };
  repeatWhileListening(app, forward);
}
