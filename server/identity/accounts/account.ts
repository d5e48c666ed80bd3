import { KIT_LIMITS } from '../../../shared/constants.ts';
import type { Role, UserInfo } from '../../../shared/entities/user.ts';
import { isMailAddress } from '../../../shared/mail-address.ts';
import { markLookalikeIn } from '../../../shared/mark-lookalikes.ts';
import { isVisible } from '../../../shared/visible-text.ts';
import { type AppError, appError } from '../../http/errors.ts';
import type { Account, IdentityDb } from '../schema.ts';
import type { Random } from '../secret.ts';
import { insertAccount, isEmailTaken, type User } from './store.ts';

const NOT_TEXT = /[\p{Cc}\p{Cs}]/u;

/**
 * The form in which e-mail addresses and user names are compared: ignores case, width and Unicode composition. Null for an
 * empty text, or one with control characters or lone surrogates.
 */
export function accountKey(text: string): string | null {
  const key = text.trim().normalize('NFKC').toLowerCase();
  return key === '' || NOT_TEXT.test(key) ? null : key;
}

const NICK_NAME_MAX = 40;
/** Control and private-use characters, line separators and marks that change the text direction. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * A nick name as it is stored: trimmed, 1 to 40 code points, with a visible character and nothing that affects the text
 * around it.
 * @throws VALIDATION_FAILED at /nick_name
 */
export function validateNickName(text: string): string {
  const name = text.trim().normalize('NFC');
  if ([...name].length > NICK_NAME_MAX)
    throw validationFailed('/nick_name', `must have at most ${NICK_NAME_MAX} characters`);
  if (UNPRINTABLE.test(name)) throw validationFailed('/nick_name', 'must not contain control characters');
  if (markLookalikeIn(name) !== undefined)
    throw validationFailed('/nick_name', 'must not contain check marks or badges');
  if (!isVisible(name)) throw validationFailed('/nick_name', 'must not be empty');
  return name;
}

/**
 * A trimmed e-mail address and its key.
 * @throws VALIDATION_FAILED at /email
 */
export function validateEmail(text: string): { email: string; email_key: string } {
  const email = text.trim();
  const email_key = accountKey(email);
  if (email_key === null || !isMailAddress(email)) {
    throw validationFailed('/email', 'must be an e-mail address');
  }
  return { email, email_key };
}

/**
 * Whether mails about an account go to its address: its user has verified it, or typed it at a sign-up without mails. A
 * directory may let users choose the address of somebody else.
 */
export function isMailed({
  email_key,
  email_verified_at,
  password_hash,
}: Pick<Account, 'email_key' | 'email_verified_at' | 'password_hash'>): boolean {
  return email_key !== null && (email_verified_at !== null || password_hash !== null);
}

/**
 * The marketing channel, stored with the account.
 * @throws VALIDATION_FAILED at /channel
 */
export function validateChannel(text: string): string {
  if (UNPRINTABLE.test(text)) throw validationFailed('/channel', 'must not contain control characters');
  return text;
}

export function validationFailed(pointer: string, message: string): AppError {
  return appError('VALIDATION_FAILED', { details: [{ pointer, message }] });
}

/** The user info (R 8.1) without tokens. Without an enterprise `e_id` is 0. */
export function userInfoOf(user: User): UserInfo {
  return {
    user_id: user.user_id,
    user_name: user.user_name,
    nick_name: user.nick_name,
    email: user.email,
    mobile: user.mobile,
    sex: user.sex,
    birthday: user.birthday,
    channel: user.channel,
    tencent_docs: user.tencent_docs,
    avatar_url: user.avatar_url,
    created_at: user.created_at.toISOString(),
    department: user.department ?? '',
    e_id: user.member_e_id ?? 0,
    is_administrator: user.is_administrator ?? false,
    is_owner: user.is_owner ?? false,
    staff_status: user.staff_status ?? 0,
    account_id: user.user_id,
    identification: user.identification,
  };
}

/** What an access token says of a user: their public name, role, and the group whose kits they get. */
export function claimsOf(user: User) {
  const { role, nick_name, avatar_url, member_e_id, department } = user;
  return {
    role,
    nick_name,
    avatar_url,
    ...(member_e_id !== null && { e_id: member_e_id }),
    ...(department && { department: [...department].slice(0, KIT_LIMITS.department).join('') }),
  };
}

type NewAccount = {
  email: string;
  /** Null without an e-mail address. */
  email_key: string | null;
  /** When the user verified the address; absent while it is unverified. */
  email_verified_at?: Date;
  nick_name: string;
  /** Null for a user who signs in through another provider only. */
  password_hash: string | null;
  mobile?: string;
  avatar_url?: string;
  /** Used when it is free; a random name otherwise. */
  user_name?: string;
  role?: Role;
  channel?: string;
  tencent_docs?: boolean;
};

const USER_NAME_BYTES = 6;
const ATTEMPTS_MAX = 3;

/**
 * Stores an account. User names are random and not derived from the address: nobody can claim `admin` by signing up as
 * admin@example.org, and no user name reveals an address.
 * @throws ACCOUNT_EXISTS when the e-mail address already belongs to an account
 */
export async function createAccount(
  db: IdentityDb,
  { random, now }: { random: Random; now: () => number },
  account: NewAccount,
): Promise<Account> {
  let user_name = account.user_name ?? generateUserName(random);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const stored = await insertAccount(db, {
      ...account,
      user_name,
      user_name_key: accountKey(user_name) ?? user_name,
      nick_name_key: accountKey(account.nick_name) ?? '',
      created_at: new Date(now()),
    });
    if (stored) return stored;
    if (account.email_key !== null && (await isEmailTaken(db, account.email_key)))
      throw appError('ACCOUNT_EXISTS');
    user_name = generateUserName(random);
  }
  throw new Error('no free user name found');
}

function generateUserName(random: Random): string {
  return `user_${random(USER_NAME_BYTES).toString('hex')}`;
}
