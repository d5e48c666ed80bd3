import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { NOTICE_KINDS } from '../../../shared/constants.ts';
import { noticeMailCalls } from '../../../shared/identity-calls.ts';
import { FALLBACK_LANGUAGE } from '../../../shared/languages.ts';
import { UNSUBSCRIBE_PATH } from '../../../shared/notice.ts';
import { mailPreferenceRoutes, type NoticeKind } from '../../../shared/routes/notice.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { repeatWhileListening } from '../../http/repeat.ts';
import type { BaseContext } from '../base-context.ts';
import { implementOpenCall } from '../calls.ts';
import { decryptJson } from '../secret.ts';
import { callerOf } from '../sessions/caller.ts';
import type { Mail, Mailer } from './mailer.ts';
import { noticeMail } from './mails.ts';
import {
  type Claim,
  claimMail,
  findRecipient,
  finishTry,
  insertNoticeMails,
  type MailQueue,
  markHandedOver,
  markUncertain,
  type Outcome,
  readOptOuts,
  setLanguage,
  setOptOut,
} from './store.ts';

const MINUTE = 60_000;
const POLL_INTERVAL = 5000;
/** Milliseconds for which an instance owns an attempt. */
export const LEASE = 5 * MINUTE;
/** Milliseconds before the first retry; doubles with each further one up to the maximum. */
const FIRST_RETRY_DELAY = MINUTE;
const RETRY_DELAY_MAX = 2 * 60 * MINUTE;
/** Milliseconds after which an undelivered mail is dropped. */
export const GIVEN_UP_AFTER = 3 * 24 * 60 * MINUTE;

type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>;
export type QueueContext = Pick<BaseContext, 'db' | 'now' | 'encryptor' | 'publicUrl'> & {
  mailer: Mailer;
  log: Log;
  lease?: number | undefined;
};

/**
 * Sends the notice that has waited longest.
 * @returns undefined when no mail is due
 */
export async function sendDueMail(context: QueueContext): Promise<Outcome | undefined> {
  const { db, now, mailer, lease = LEASE } = context;
  const at = now();
  const mail = await claimMail(db, new Date(at), new Date(at + lease));
  if (!mail) return undefined;
  const giveUpAt = new Date(mail.created_at.getTime() + GIVEN_UP_AFTER);
  const queue = { table: 'notice_mail', giveUpAt } as const;
  const recipient = await findRecipient(db, mail);
  if (!recipient) return deliver(context, queue, mail, undefined);
  const { email, language } = recipient;
  const { kind, data, user_id } = mail;
  const unsubscribe = unsubscribeUrl(context, { userId: user_id, kind });
  const notice = {
    language: language ?? FALLBACK_LANGUAGE,
    siteName: mailer.siteName,
    kind,
    data,
    publicUrl: context.publicUrl,
    link: unsubscribe,
  };
  return deliver(context, queue, mail, { mail: noticeMail(email, notice), unsubscribe });
}

type Claimed = Claim & { user_id?: number | undefined };
type QueueOf = { table: MailQueue; giveUpAt: Date };

/**
 * Sends a claimed mail. It is retried only if the server certainly does not have it; the handover is recorded before the first
 * byte, so that no mail is sent twice. `ready`: undefined for a mail that nobody gets.
 */
export async function deliver(
  context: QueueContext,
  { table, giveUpAt }: QueueOf,
  claimed: Claimed,
  ready: { mail: Mail; unsubscribe?: string } | undefined,
): Promise<Outcome> {
  const { db, now, mailer, log } = context;
  let outcome: Outcome = 'dropped';
  if (ready) {
    let isHandedOver = false;
    outcome = await mailer
      .send(ready.mail, {
        messageId: `<${claimed.key}@${new URL(context.publicUrl).hostname}>`,
        unsubscribe: ready.unsubscribe,
        beforeHandover: async () => {
          isHandedOver = await markHandedOver(db, table, claimed, new Date(now()));
          if (!isHandedOver) throw new Error('another attempt of this mail has started');
        },
      })
      .then(() => 'sent' as const)
      .catch((error: unknown) =>
        outcomeOf(error, { claimed, table, giveUpAt, isHandedOver, now: now(), log }),
      );
    if (outcome === 'sent' && table === 'account_mail')
      log.info({ key: claimed.key, user_id: claimed.user_id }, 'mail sent');
  }
  await finishTry(db, table, claimed, outcome);
  return outcome;
}

type Failed = {
  claimed: Claimed;
  table: MailQueue;
  giveUpAt: Date;
  isHandedOver: boolean;
  now: number;
  log: Log;
};

/** The server closes the connection, whoever the mail is for (RFC 5321 section 3.8). */
const SERVER_CLOSES = 421;

/** After a refusal the server certainly does not have the mail; without a reply it may have it. */
function outcomeOf(error: unknown, { claimed, table, giveUpAt, isHandedOver, now, log }: Failed): Outcome {
  const { key, tries, user_id } = claimed;
  const { code, responseCode } = Object(error);
  const isRefused = code === 'EMESSAGE' && typeof responseCode === 'number';
  if (isHandedOver && !isRefused) {
    log.warn({ err: error, key, user_id }, 'mail delivery uncertain, not retried');
    return 'uncertain';
  }
  const isOfMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number';
  const retryAt = new Date(now + Math.min(FIRST_RETRY_DELAY * 2 ** (tries - 1), RETRY_DELAY_MAX));
  if ((isOfMail && responseCode >= 500) || now > giveUpAt.getTime()) {
    log.warn({ err: error, key, user_id }, 'mail dropped');
    return 'dropped';
  }
  // A user waits for it, unlike for a notice.
  if (tries === 1 && table === 'account_mail')
    log.warn({ err: error, key, user_id }, 'mail not sent, retried later');
  return { retryAt, isServerAway: !isOfMail || responseCode === SERVER_CLOSES };
}

/** Logs, once, the mails that an interrupted program had handed over. */
export async function markInterruptedMails({
  db,
  now,
  log,
  lease = LEASE,
}: Omit<QueueContext, 'mailer'>): Promise<void> {
  for (const { key } of await markUncertain(db, new Date(now() - lease)))
    log.warn({ key }, 'mail delivery uncertain, not retried');
}

type SendDue = (context: QueueContext) => Promise<Outcome | undefined>;

/**
 * Sends due mails of all queues while the app listens; closing waits for the current mail. A mail that is refused for now waits
 * alone; only without a server all wait for the next run.
 */
export function startSending(
  app: FastifyInstance,
  context: QueueContext,
  queues: readonly SendDue[],
  every = POLL_INTERVAL,
): void {
  repeatWhileListening(app, {
    every,
    log: context.log,
    failed: 'sending mails failed',
    recovered: 'mails are sent again',
    async run(closing) {
      await markInterruptedMails(context);
      for (const sendDue of queues) {
        let outcome: Outcome | undefined;
        do outcome = await sendDue(context);
        while (outcome !== undefined && !isAway(outcome) && !closing.aborted);
        if (outcome !== undefined && isAway(outcome)) break;
      }
    },
  });
}

function isAway(outcome: Outcome): boolean {
  return typeof outcome === 'object' && outcome.isServerAway;
}

const isKind = (kind: string): kind is NoticeKind => NOTICE_KINDS.some((known) => known === kind);

/** The mail queue, which the marketplace fills, and the mail preferences of users. */
export function serveNoticeMails(app: FastifyInstance): void {
  const { identity } = app;
  const preferencesOf = async (userId: number) => ({
    is_mailing: identity.mailer !== undefined,
    off_list: (await readOptOuts(identity.db, userId)).filter(isKind),
  });
  implement(app, mailPreferenceRoutes.readMailPreferences, ({ request }) =>
    preferencesOf(callerOf(request).user.user_id),
  );
  implement(app, mailPreferenceRoutes.changeMailPreferences, async ({ body, request }) => {
    const { user_id: userId } = callerOf(request).user;
    const { kind, is_on: isOn, language } = body;
    const at = new Date(identity.now());
    if (language !== undefined) await setLanguage(identity.db, userId, language);
    if (kind !== undefined && isOn !== undefined)
      await setOptOut(identity.db, { userId, kind, isOut: !isOn, at });
    return preferencesOf(userId);
  });
  implement(app, mailPreferenceRoutes.unsubscribe, async ({ body }) => {
    const wanted = readUnsubscribeToken(identity, body.token);
    if (!wanted) throw appError('MAIL_LINK_INVALID');
    await setOptOut(identity.db, { ...wanted, isOut: true, at: new Date(identity.now()) });
    return {};
  });
  implementOpenCall(app, noticeMailCalls.take, async ({ body }) => {
    const { db, mailer, now } = identity;
    // Kinds of a newer release are unknown here and skipped.
    const mails = body.mail_list.flatMap(({ kind, created_at, ...mail }) =>
      isKind(kind) ? [{ ...mail, kind, created_at: new Date(created_at) }] : [],
    );
    if (mailer && mails.length > 0) await insertNoticeMails(db, mails, new Date(now()));
    return { taken: body.mail_list.length };
  });
}

const PURPOSE = 'unsubscribe';
const Wanted = Type.Tuple([Type.Integer({ minimum: 1 }), Type.Enum(NOTICE_KINDS)]);

type Unsubscribed = { userId: number; kind: NoticeKind };

/** The address in a mail that unsubscribes from mails of its kind without a sign-in. */
export function unsubscribeUrl(
  { encryptor, publicUrl }: Pick<BaseContext, 'encryptor' | 'publicUrl'>,
  { userId, kind }: Unsubscribed,
): string {
  const token = encryptor.encrypt(JSON.stringify([userId, kind]), PURPOSE);
  return `${publicUrl}${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}`;
}

/** @returns undefined for a token that was not created here */
function readUnsubscribeToken(
  { encryptor }: Pick<BaseContext, 'encryptor'>,
  token: string,
): Unsubscribed | undefined {
  const wanted = decryptJson(encryptor, Wanted, token, PURPOSE);
  return wanted && { userId: wanted[0], kind: wanted[1] };
}
