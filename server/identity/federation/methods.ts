import type { FastifyBaseLogger } from 'fastify';
import type { LoginMethod } from '../../../shared/entities/user.ts';
import { appError, isAppError } from '../../http/errors.ts';
import type { Fetch } from '../../http/outgoing.ts';
import { accountKey } from '../accounts/account-fields.ts';
import type { PasswordHasher } from '../accounts/passwords.ts';
import { findAccountByKey } from '../accounts/store.ts';
import type { IdentityContext } from '../context.ts';
import type { IdentityDb } from '../schema.ts';
import { originOf } from './document-service.ts';
import type { Credentials, LocalMethod, SignInMethod } from './method.ts';
import { type Provisioned, provision } from './provision.ts';
import { type MethodSettings, sourceOf } from './settings.ts';
import type { LocalSettings } from './settings-schemas.ts';

type MethodOptions = {
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

type Create<N extends MethodSettings['method']> = (
  settings: Extract<MethodSettings, { method: N }>,
  options: MethodOptions & { source: string },
) => SignInMethod;

/** What only one of them needs, such as a reader of signed XML, is loaded only for it. */
const LOAD: { [N in MethodSettings['method']]: () => Promise<Create<N>> } = {
  local: async () => localMethod,
  ldap: async () => (await import('./ldap.ts')).ldapMethod,
  oidc: async () => (await import('./oidc.ts')).oidcMethod,
  oauth2: async () => (await import('./oauth2.ts')).oauth2Method,
  saml: async () => (await import('./saml.ts')).samlMethod,
  custom_sso: async () => (await import('./custom-sso.ts')).customSsoMethod,
};

/**
 * The sign-in methods of a deployment, in the order of their blocks.
 * @throws StartError for a block whose files, keys or certificates will not do
 */
export function createMethods(
  settings: readonly MethodSettings[],
  options: MethodOptions,
): Promise<SignInMethod[]> {
  return Promise.all(settings.map((block) => createMethod(block, { ...options, source: sourceOf(block) })));
}

async function createMethod<N extends MethodSettings['method']>(
  settings: Extract<MethodSettings, { method: N }>,
  options: MethodOptions & { source: string },
): Promise<SignInMethod> {
  const create = await LOAD[settings.method]();
  return create(settings, options);
}

/** Accounts whose passwords we keep ourselves, found by e-mail address or user name. */
export function localMethod(
  { sign_up: signUp = true }: LocalSettings,
  { db, passwords }: Pick<MethodOptions, 'db' | 'passwords'>,
): LocalMethod {
  return {
    kind: 'local',
    name: 'local',
    source: 'local',
    label: null,
    signUp,
    authenticate: async ({ account, password }) => {
      const key = accountKey(account);
      const found = key === null ? undefined : await findAccountByKey(db, key);
      return (await passwords.verify(found?.password_hash ?? null, password)) ? found : undefined;
    },
  };
}

/** Whether visitors make accounts of their own in this deployment. */
export function mayEverybodySignUp({ methods }: { methods: readonly SignInMethod[] }): boolean {
  return methods.some((method) => method.kind === 'local' && method.signUp);
}

/** What was typed, and what the page was opened with. */
type Typed = Credentials & Parameters<typeof originOf>[1];

type Authenticated = Provisioned & { method: LoginMethod; source: string };

/**
 * Asks the methods of the password form in their order. A directory that cannot be asked does not keep the others from
 * being asked; it is told only when none of them knows the user.
 * @throws CREDENTIALS_INVALID when none of them knows the user, SERVICE_UNAVAILABLE when one could not be asked,
 *   ACCOUNT_DISABLED when the credentials are right, SSO_ACCOUNT_UNKNOWN
 */
export async function authenticate(
  identity: IdentityContext,
  typed: Typed,
  log: FastifyBaseLogger,
): Promise<Authenticated> {
  let unavailable: unknown;
  for (const method of identity.methods) {
    try {
      const result = await authenticateBy(identity, method, typed, log);
      if (result) return { ...result, method: method.name, source: method.source };
    } catch (error) {
      if (!isAppError(error) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      log.error({ err: error.cause ?? error, source: method.source }, 'sign-in method unavailable');
      unavailable = error;
    }
  }
  throw unavailable ?? appError('CREDENTIALS_INVALID');
}

async function authenticateBy(
  identity: IdentityContext,
  method: SignInMethod,
  typed: Typed,
  log: FastifyBaseLogger,
): Promise<Provisioned | undefined> {
  if (method.kind === 'redirect') return undefined;
  if (method.kind === 'password') {
    const profile = await method.authenticate(typed);
    const origin = originOf(identity.methods, typed);
    return profile && provision(identity, { directory: method.directory, profile, origin }, log);
  }
  const account = await method.authenticate(typed);
  if (account && account.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
  return account && { account };
}
