import type { Fetch } from '../../http/fetch.ts';
import type { PasswordHasher } from '../accounts/password-hash.ts';
import type { IdentityDb } from '../schema.ts';
import { customSsoMethod } from './custom-sso/method.ts';
import { ldapMethod } from './ldap/method.ts';
import { localMethod } from './local.ts';
import type { SignInMethod } from './method.ts';
import { oauth2Method } from './oauth/oauth2-method.ts';
import { oidcMethod } from './oauth/oidc-method.ts';
import { samlMethod } from './saml/method.ts';
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
};

type Maker<N extends MethodSettings['method']> = (
  settings: Extract<MethodSettings, { method: N }>,
  means: MethodMeans & { source: string },
) => SignInMethod;

const MAKERS: { [N in MethodSettings['method']]: Maker<N> } = {
  local: localMethod,
  ldap: ldapMethod,
  oidc: oidcMethod,
  oauth2: oauth2Method,
  saml: samlMethod,
  custom_sso: customSsoMethod,
};

/**
 * The sign-in methods of a deployment, in the order of their blocks.
 * @throws StartError for a block whose files, keys or certificates will not do
 */
export function createMethods(settings: readonly MethodSettings[], means: MethodMeans): SignInMethod[] {
  return settings.map((block) => make(block, { ...means, source: sourceOf(block) }));
}

function make<N extends MethodSettings['method']>(
  settings: Extract<MethodSettings, { method: N }>,
  means: MethodMeans & { source: string },
): SignInMethod {
  return MAKERS[settings.method](settings, means);
}
