import type { UserInfo } from '../../../shared/entities/user.ts';
import type { ErrorDetail } from '../../../shared/errors.ts';
import { appError } from '../../http/errors.ts';
import type { Account } from '../schema.ts';

const NOT_TEXT = /[\p{Cc}\p{Cs}]/u;

/**
 * The form in which e-mail addresses and user names are compared: without regard to case, width or composition.
 * Null when the text can be neither, because it holds control characters or half a surrogate pair.
 */
export function accountKey(text: string): string | null {
  const key = text.trim().normalize('NFKC').toLowerCase();
  return key === '' || NOT_TEXT.test(key) ? null : key;
}

const NICK_NAME_MAX = 40;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
/** Control and private characters, line separators, and marks that reverse the direction of what follows. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * A nick name as it is stored: trimmed, 1 to 40 code points, something to see in it and nothing that disturbs the
 * text around it.
 * @throws VALIDATION_FAILED at /nick_name
 */
export function checkedNickName(text: string): string {
  const name = text.trim().normalize('NFC');
  if ([...name].length > NICK_NAME_MAX)
    throw refused('/nick_name', `must have at most ${NICK_NAME_MAX} characters`);
  if (UNPRINTABLE.test(name)) throw refused('/nick_name', 'must not contain control characters');
  if (!VISIBLE.test(name)) throw refused('/nick_name', 'must not be empty');
  return name;
}

/**
 * An e-mail address and the key it is found by.
 * @throws VALIDATION_FAILED at /email
 */
export function checkedEmail(text: string): { email: string; email_key: string } {
  const email = text.trim();
  const email_key = accountKey(email);
  if (email_key === null || UNPRINTABLE.test(email) || !EMAIL.test(email_key)) {
    throw refused('/email', 'must be an e-mail address');
  }
  return { email, email_key };
}

/**
 * The channel a user came by, stored with the account.
 * @throws VALIDATION_FAILED at /channel
 */
export function checkedChannel(text: string): string {
  if (UNPRINTABLE.test(text)) throw refused('/channel', 'must not contain control characters');
  return text;
}

function refused(pointer: string, message: string) {
  const details: ErrorDetail[] = [{ pointer, message }];
  return appError('VALIDATION_FAILED', { details });
}

/** An account with its membership in the current enterprise, all null when there is none. */
export type User = Account & {
  member_e_id: number | null;
  department: string | null;
  is_owner: boolean | null;
  is_administrator: boolean | null;
  staff_status: number | null;
};

/** The user info of specification section 3, without tokens. Without an enterprise `e_id` is 0. */
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
