import type { Fetch } from '../../http/fetch.ts';
import type { PasswordHasher } from '../accounts/password-hash.ts';
import type { IdentityDb } from '../schema.ts';
import { localMethod } from './local.ts';
import type { SignInMethod } from './method.ts';
import { type MethodSettings, sourceOf } from './settings/read-settings.ts';

/** What methods work with. */
export type MethodMeans = {
  db: IdentityDb;
  passwords: PasswordHasher;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The origin that browsers see. */
  publicUrl: string;
  /** Asks the deployment's other services. */
  fetch: Fetch;
  /** PEM of a private authority, for what cannot be asked by that. */
  ca: string | undefined;
};

type Maker<N extends MethodSettings['method']> = (
  settings: Extract<MethodSettings, { method: N }>,
  means: MethodMeans & { source: string },
) => SignInMethod;

/** What only one of them needs, such as a reader of signed XML, is loaded only for it. */
const MAKERS: { [N in MethodSettings['method']]: () => Promise<Maker<N>> } = {
  local: async () => localMethod,
  ldap: async () => (await import('./ldap/method.ts')).ldapMethod,
  oidc: async () => (await import('./oauth/oidc-method.ts')).oidcMethod,
  oauth2: async () => (await import('./oauth/oauth2-method.ts')).oauth2Method,
  saml: async () => (await import('./saml/method.ts')).samlMethod,
  custom_sso: async () => (await import('./custom-sso/method.ts')).customSsoMethod,
};

/**
 * The sign-in methods of a deployment, in the order of their blocks.
 * @throws StartError for a block whose files, keys or certificates will not do
 */
export function createMethods(
  settings: readonly MethodSettings[],
  means: MethodMeans,
): Promise<SignInMethod[]> {
  return Promise.all(settings.map((block) => make(block, { ...means, source: sourceOf(block) })));
}

async function make<N extends MethodSettings['method']>(
  settings: Extract<MethodSettings, { method: N }>,
  means: MethodMeans & { source: string },
): Promise<SignInMethod> {
  const maker = await MAKERS[settings.method]();
  return maker(settings, means);
}
