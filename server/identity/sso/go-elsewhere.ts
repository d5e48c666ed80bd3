import type { IdentityContext } from '../context.ts';
import { SSO_LIFETIME } from '../lifetimes.ts';
import { inTime } from '../methods/in-time.ts';
import type { RedirectMethod } from '../methods/method.ts';
import { newSecret, secretHash } from '../secret.ts';
import { insertSsoLogin } from './store.ts';

type Going = {
  method: RedirectMethod;
  /** Where the other page leads back to. */
  backTo: string;
  /** Under which name the sign-in waits, and what is needed again when it is back. */
  kept: { source: string; parameters: Record<string, string> };
};

/**
 * Begins a sign-in on another page and answers its address. What belongs to it waits here for its return, in no cookie.
 * @throws SERVICE_UNAVAILABLE
 */
export async function goElsewhere(
  { db, now, random, peerTimeout }: Pick<IdentityContext, 'db' | 'now' | 'random' | 'peerTimeout'>,
  { method, backTo, kept }: Going,
): Promise<string> {
  const state = newSecret(random);
  const { url, secrets } = await inTime(peerTimeout, method.begin({ state, callbackUrl: backTo }));
  await insertSsoLogin(db, secretHash(state), { ...kept, secrets }, new Date(now() + SSO_LIFETIME));
  return url;
}
