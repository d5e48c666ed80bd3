import type { FastifyBaseLogger } from 'fastify';
import { Type } from 'typebox';
import { BASE_PATH } from '../../../shared/constants.ts';
import { LanguageName } from '../../../shared/entities/base.ts';
import type { Language } from '../../../shared/languages.ts';
import { isMailed } from '../accounts/account.ts';
import type { BaseContext } from '../base-context.ts';
import { ACCOUNT_MAIL_LIFETIME } from '../lifetimes.ts';
import type { Account } from '../schema.ts';
import { decryptJson } from '../secret.ts';
import { insertRow } from '../store.ts';
import type { Mailer } from './mailer.ts';
import { accountMail, isMailKind, type MailKind, type Values } from './mails.ts';
import { deliver, LEASE, type QueueContext } from './queue.ts';
import { claimAccountMail, type Outcome } from './store.ts';

/** What sending mails uses. */
export type MailContext = Pick<BaseContext, 'db' | 'now' | 'encryptor' | 'publicUrl' | 'background'> & {
  /** Absent when the deployment sends no mails. */
  mailer?: Mailer;
};

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

const PURPOSE = 'account mail';
const Content = Type.Object({
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
  context: Omit<MailContext, 'background'>,
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
    sealed: encryptor.encrypt(JSON.stringify(sealed), PURPOSE),
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
  const content = decryptJson(encryptor, Content, claimed.sealed, PURPOSE);
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

/** Mails the owner of an account, after the response, that its deletion was asked for, called off or done. */
export function notifyOwner(
  context: MailContext,
  account: Account,
  kind: 'deletion' | 'deletion_off' | 'deleted',
  { at, log }: { at: Date; log: FastifyBaseLogger },
): void {
  if (!isMailed(account)) return;
  const { user_id, email, nick_name, delete_language } = account;
  context.background.run(log, async () => {
    const values = { when: at, account: nick_name };
    const link = context.publicUrl + BASE_PATH;
    const mail = { to: email, language: delete_language, link, values, userId: user_id };
    await sendAccountMail(context, kind, mail, log);
  });
}
