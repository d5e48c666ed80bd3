import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { FALLBACK_LANGUAGE } from '../../../shared/languages.ts';
import { repeatWhileListening } from '../../http/app.ts';
import type { IdentityContext } from '../context.ts';
import type { Mailer } from '../mail/mailer.ts';
import { noticeMail } from '../mail/mails.ts';
import { unsubscribeUrl } from './routes.ts';
import {
  type ClaimedMail,
  claimMail,
  closeUncertain,
  endTry,
  findRecipient,
  noteHandover,
  type Outcome,
} from './store.ts';

const MINUTE = 60_000;
const LOOK_EVERY = 5000;
/** How long one try belongs to who has begun it, milliseconds. */
const LEASE = 5 * MINUTE;
/** The first wait before another try, milliseconds; each one after is twice as long, up to the longest. */
const FIRST_WAIT = MINUTE;
const LONGEST_WAIT = 2 * 60 * MINUTE;
/** A mail that no server has taken for so long, milliseconds, is given up. */
export const GIVEN_UP_AFTER = 3 * 24 * 60 * MINUTE;

type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>;
type Sending = Pick<IdentityContext, 'db' | 'now' | 'encryptor' | 'publicUrl'> & {
  mailer: Mailer;
  log: Log;
  lease?: number;
};

/**
 * Sends the mail that has waited longest. What the server has not begun to take is tried again; of what it may have taken
 * nothing is ever sent twice: that is noted before its first byte.
 * @returns what became of it; undefined when none is due
 */
export async function sendDueMail(sending: Sending): Promise<Outcome | undefined> {
  const { db, now, mailer, log, lease = LEASE } = sending;
  const at = now();
  const mail = await claimMail(db, new Date(at), new Date(at + lease));
  if (!mail) return undefined;
  const recipient = await findRecipient(db, mail);
  let outcome: Outcome = 'dropped';
  if (recipient) {
    const { email, language } = recipient;
    const { key, kind, data, user_id } = mail;
    const link = unsubscribeUrl(sending, { userId: user_id, kind });
    const shown = {
      language: language ?? FALLBACK_LANGUAGE,
      siteName: mailer.siteName,
      kind,
      data,
      publicUrl: sending.publicUrl,
      link,
    };
    let isHandedOver = false;
    outcome = await mailer
      .send(noticeMail(email, shown), {
        messageId: `<${key}@${new URL(sending.publicUrl).hostname}>`,
        unsubscribe: link,
        beforeHandover: async () => {
          isHandedOver = await noteHandover(db, mail, new Date(now()));
          if (!isHandedOver) throw new Error('another try of this mail has begun');
        },
      })
      .then(() => 'sent' as const)
      .catch((error: unknown) => outcomeOf(error, { mail, isHandedOver, now: now(), log }));
  }
  await endTry(db, mail, outcome);
  return outcome;
}

type Failed = { mail: ClaimedMail; isHandedOver: boolean; now: number; log: Log };

/** A refusal is the server's word that it does not have the mail; without its word nobody knows. */
function outcomeOf(error: unknown, { mail, isHandedOver, now, log }: Failed): Outcome {
  const { key, tries, user_id } = mail;
  const { code, responseCode } = Object(error);
  const isRefused = code === 'EMESSAGE' && typeof responseCode === 'number';
  if (isHandedOver && !isRefused) {
    log.warn({ err: error, key, user_id }, 'a mail may not have arrived; it is not sent again');
    return 'uncertain';
  }
  const isForGood = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500;
  if (isForGood || now - mail.created_at.getTime() > GIVEN_UP_AFTER) {
    log.warn({ err: error, key, user_id }, 'a mail was given up');
    return 'dropped';
  }
  return { again: new Date(now + Math.min(FIRST_WAIT * 2 ** (tries - 1), LONGEST_WAIT)) };
}

/** Names the mails that a program had handed over when it ended, once. */
export async function closeLeftOver({ db, now, log, lease = LEASE }: Omit<Sending, 'mailer'>): Promise<void> {
  for (const { key } of await closeUncertain(db, new Date(now() - lease)))
    log.warn({ key }, 'a mail may not have arrived; it is not sent again');
}

/** Sends what is due while the app listens; closing waits for the mail that is under way. */
export function sendRegularly(app: FastifyInstance, sending: Sending, every = LOOK_EVERY): void {
  repeatWhileListening(app, async (isClosed) => {
    try {
      await closeLeftOver(sending);
      let outcome: Outcome | undefined;
      // A server that is away is left alone until the next time.
      do outcome = await sendDueMail(sending);
      while (typeof outcome === 'string' && !isClosed());
    } catch (error) {
      sending.log.warn({ err: error }, 'mails could not be looked after');
    }
    return every;
  });
}
