import { BIND_LIFETIME, CALLBACK_PATH } from '../../../shared/constants.ts';
import type { IdentityContext } from '../context.ts';
import { newSecret, secretHash } from '../secret.ts';
import type { Clash } from './arrive.ts';
import { knownPerson, shownOf } from './person.ts';
import { insertPendingBind } from './store.ts';

type Means = Pick<IdentityContext, 'db' | 'now' | 'random' | 'publicUrl'>;

/**
 * Where a person goes to bind a sign-in elsewhere to an account (specification section 2): back to the gateway's
 * callback, which keeps the id from everybody but the browser that has begun the sign-in. No other address gets an id:
 * from there the sign-in starts once more, by the gateway.
 */
export async function toBind(means: Means, redirectUri: URL, clash: Clash): Promise<string> {
  const onward = new URL(redirectUri);
  onward.searchParams.delete('code');
  if (onward.pathname !== CALLBACK_PATH) {
    const query = new URLSearchParams({ return_to: onward.pathname + onward.search });
    return `${means.publicUrl}/api/auth/login?${query}`;
  }
  onward.searchParams.set('bind', await pendingBind(means, clash, redirectUri.href));
  return onward.href;
}

/**
 * Remembers a sign-in elsewhere until its person has shown that the account is theirs. Answers the bind's id.
 * `redirectUri`: the callback that alone may use it, null where it is led to none.
 */
export async function pendingBind(
  { db, now, random }: Omit<Means, 'publicUrl'>,
  { source, person, userId }: Clash,
  redirectUri: string | null,
): Promise<string> {
  const id = newSecret(random);
  await insertPendingBind(db, {
    id_hash: secretHash(id),
    source,
    subject: person.subject,
    user_id: userId,
    ...shownOf(person),
    avatar_url: knownPerson(person).avatar_url,
    redirect_uri: redirectUri,
    expires_at: new Date(now() + BIND_LIFETIME),
  });
  return id;
}
