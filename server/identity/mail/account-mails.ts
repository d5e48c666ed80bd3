import { Type } from 'typebox';
import { LanguageName } from '../../../shared/entities/base.ts';
import type { Language } from '../../../shared/languages.ts';
import type { IdentityContext } from '../context.ts';
import { ACCOUNT_MAIL_LIFETIME } from '../lifetimes.ts';
import { deliver, LEASE, type QueueContext } from '../notice-mails/queue.ts';
import { claimAccountMail, type Outcome } from '../notice-mails/store.ts';
import { decryptJson } from '../secret.ts';
import { insertRow } from '../store.ts';
import { accountMail, isMailKind, type MailKind, type Values } from './mails.ts';

type Context = Pick<IdentityContext, 'db' | 'now' | 'encryptor' | 'publicUrl' | 'mailer'>;

type AccountMail = {
  to: string;
  language?: Language | null | undefined;
  link: string;
  values?: Values;
  /** For the log; absent before there is an account. */
  userId?: number | undefined;
  /** Milliseconds after which nobody needs the mail: those of its link, if it has one. */
  lifetime?: number;
};

const LABEL = 'account mail';
const Sealed = Type.Object({
  to: Type.String(),
  kind: Type.String(),
  language: Type.Union([LanguageName, Type.Null()]),
  link: Type.String(),
  /** Times are milliseconds since 1970. */
  values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  when: Type.Union([Type.Integer(), Type.Null()]),
  user_id: Type.Union([Type.Integer(), Type.Null()]),
});

/**
 * Puts a mail about an account into the queue and tries to send it. What a mail server refuses for now, or nobody reaches, is
 * tried again later (RFC 5321 section 4.5.4.1). Without a mail server nothing happens.
 */
export async function sendAccountMail(
  context: Context,
  kind: MailKind,
  { to, language, link, values = {}, userId, lifetime = ACCOUNT_MAIL_LIFETIME }: AccountMail,
  log: QueueContext['log'],
): Promise<void> {
  const { db, now, encryptor, mailer, publicUrl } = context;
  if (!mailer) return;
  const { when, ...others } = values;
  const sealed = {
    ...{ to, kind, link, language: language ?? null, user_id: userId ?? null },
    ...{ values: others, when: when instanceof Date ? when.getTime() : null },
  };
  const at = now();
  await insertRow(db, 'account_mail', {
    sealed: encryptor.encrypt(JSON.stringify(sealed), LABEL),
    created_at: new Date(at),
    expires_at: new Date(at + lifetime),
    next_try_at: new Date(at),
  });
  await sendDueAccountMail({ db, now, encryptor, mailer, publicUrl, log });
}

/**
 * Sends the mail about an account that has waited longest.
 * @returns undefined when no mail is due
 */
export async function sendDueAccountMail(context: QueueContext): Promise<Outcome | undefined> {
  const { db, now, encryptor, mailer, log, lease = LEASE } = context;
  const claimed = await claimAccountMail(db, new Date(now()), new Date(now() + lease));
  if (!claimed) return undefined;
  const content = decryptJson(encryptor, Sealed, claimed.sealed, LABEL);
  const mail = { ...claimed, user_id: content?.user_id ?? undefined };
  const queue = { table: 'account_mail', giveUpAt: claimed.expires_at } as const;
  const isLate = now() > claimed.expires_at.getTime();
  if (!content || !isMailKind(content.kind) || isLate) {
    log.warn({ key: mail.key, user_id: mail.user_id }, 'mail dropped');
    return deliver(context, queue, mail, undefined);
  }
  const { to, kind, language, link, values, when } = content;
  const shown = { ...values, ...(when !== null && { when: new Date(when) }) };
  return deliver(context, queue, mail, {
    mail: accountMail(mailer, kind, { to, language, link, values: shown }),
  });
}
