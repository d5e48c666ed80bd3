import type { IdentityContext } from '../context.ts';
import { SSO_LIFETIME } from '../lifetimes.ts';
import { newSecret, secretHash } from '../secret.ts';
import { type RedirectMethod, type SignInMethod, withTimeout } from './method.ts';
import { insertSsoLogin, type SsoLogin } from './store.ts';

/** Where an identity provider sends browsers back to. */
export function callbackUrl(publicUrl: string, source: string): string {
  return `${publicUrl}/user/sso/${source}/callback`;
}

/** Where a method's document about us is, for the administrators of the provider. */
export function metadataUrl(publicUrl: string, source: string): string {
  return `${publicUrl}/user/sso/${source}/metadata`;
}

/** The identity provider that goes by this name. */
export function redirectMethod(methods: readonly SignInMethod[], source: string): RedirectMethod | undefined {
  return methods.filter((method) => method.kind === 'redirect').find((method) => method.source === source);
}

/**
 * Begins a sign-in at an identity provider and answers its address. What belongs to it is stored here until the callback,
 * in no cookie. `login.source`: under which name, `backTo`: where the provider leads back to.
 * @throws SERVICE_UNAVAILABLE
 */
export async function redirectToProvider(
  { db, now, random, peerTimeout }: Pick<IdentityContext, 'db' | 'now' | 'random' | 'peerTimeout'>,
  method: RedirectMethod,
  { backTo, ...login }: Omit<SsoLogin, 'secrets'> & { backTo: string },
): Promise<{ go_to: string }> {
  const state = newSecret(random);
  const { url, secrets } = await withTimeout(peerTimeout, method.begin({ state, callbackUrl: backTo }));
  await insertSsoLogin(db, secretHash(state), { ...login, secrets }, new Date(now() + SSO_LIFETIME));
  return { go_to: url };
}
