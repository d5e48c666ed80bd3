import { isAppError } from '../../http/errors.ts';
import { accountKey } from '../accounts/account-key.ts';
import { checkedEmail, checkedNickName } from '../accounts/person-fields.ts';
import type { ExternalPerson } from '../methods/method.ts';

/** What of a directory's person becomes an account. */
export type KnownPerson = {
  email: string;
  email_key: string | null;
  /** Empty where nothing of a person can be shown. */
  nick_name: string;
  user_name: string | undefined;
  mobile: string;
  avatar_url: string;
};

const SHORT = 200;
const NICK_NAME_MAX = 40;

/**
 * A directory's fields as an account takes them. What does not fit is left out, so that an odd entry does not keep a
 * person from signing in: only the subject is needed.
 */
export function knownPerson(person: ExternalPerson): KnownPerson {
  const { email = '', email_key = null } = tried(() => checkedEmail(person.email ?? '')) ?? {};
  const names = [person.nick_name, person.user_name, email.split('@')[0], person.subject];
  const nickName = names.map((name) => tried(() => checkedNickName(shortened(name)))).find(Boolean);
  const user_name = person.user_name?.trim();
  return {
    email,
    email_key,
    nick_name: nickName ?? '',
    user_name: user_name && isUserName(user_name) ? user_name : undefined,
    mobile: (person.mobile ?? '').slice(0, SHORT),
    avatar_url: webPicture(person.avatar_url),
  };
}

/** What people are shown of a directory's person. */
export function shownOf(person: ExternalPerson): { name: string; email: string } {
  const { nick_name: name, email } = knownPerson(person);
  return { name, email };
}

function shortened(name: string | undefined): string {
  return [...(name ?? '')].slice(0, NICK_NAME_MAX).join('');
}

/** User names hold no @: they must not pass for somebody's address. */
function isUserName(name: string): boolean {
  const key = accountKey(name);
  return key !== null && !key.includes('@') && key.length <= SHORT;
}

function webPicture(address: string | undefined): string {
  return address !== undefined && /^https?:\/\//.test(address) && URL.canParse(address) ? address : '';
}

/** What is refused is left out. */
function tried<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isAppError(error)) throw error;
    return undefined;
  }
}
