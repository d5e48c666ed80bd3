import type { FastifyBaseLogger } from 'fastify';
import type { LoginSource } from '../../../../shared/entities/sign-in.ts';
import type { LoginMethod } from '../../../../shared/entities/user.ts';
import { appError, isAppError } from '../../../http/errors.ts';
import type { Fetch } from '../../../http/outgoing.ts';
import { accountKey, validateChannel } from '../../accounts/account.ts';
import type { PasswordHasher } from '../../accounts/passwords.ts';
import { findAccountByKey } from '../../accounts/store.ts';
import type { IdentityDb } from '../../schema.ts';
import type { SignInContext } from '../context.ts';
import type {
  Credentials,
  DocumentService,
  LocalMethod,
  PasswordMethod,
  RedirectMethod,
  SignInMethod,
} from './method.ts';
import { type Origin, type Provisioned, provision } from './provision.ts';
import { sourceOf } from './settings.ts';
import type { MethodSettings } from './settings-schema.ts';

type MethodOptions = {
  db: IdentityDb;
  passwords: PasswordHasher;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The origin that browsers see. */
  publicUrl: string;
  /** For requests to the deployment's other services. */
  fetch: Fetch;
  /** PEM of a private certificate authority, for connections without `fetch`. */
  ca: string | undefined;
};

type Create<N extends MethodSettings['method']> = (
  settings: Extract<MethodSettings, { method: N }>,
  options: MethodOptions & { source: string },
) => SignInMethod;

/** The libraries of a method, such as an XML parser, are loaded only when the method is configured. */
const LOADERS: { [N in MethodSettings['method']]: () => Promise<Create<N>> } = {
  local: async () => (_block, options) => localMethod(options),
  ldap: async () => (await import('./ldap.ts')).ldapMethod,
  oidc: async () => (await import('./oidc.ts')).oidcMethod,
  oauth2: async () => (await import('./oauth2.ts')).oauth2Method,
  saml: async () => (await import('./saml.ts')).samlMethod,
  custom_sso: async () => (await import('./custom-sso.ts')).customSsoMethod,
};

/**
 * The sign-in methods of a deployment, in the order of their blocks.
 * @throws StartError for a block with invalid files, keys or certificates
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
  const create = await LOADERS[settings.method]();
  return create(settings, options);
}

/** Local accounts, found by e-mail address or user name. */
export function localMethod({ db, passwords }: Pick<MethodOptions, 'db' | 'passwords'>): LocalMethod {
  return {
    kind: 'local',
    name: 'local',
    source: 'local',
    label: null,
    authenticate: async ({ account, password }, onWrong) => {
      const key = accountKey(account);
      const found = key === null ? undefined : await findAccountByKey(db, key);
      const passwordHash = found?.password_hash ?? null;
      if (await passwords.verify(passwordHash, password)) return found;
      if (passwordHash !== null) onWrong();
      return undefined;
    },
  };
}

/** The typed credentials, and the parameters of the page. */
type SignInForm = Credentials & Parameters<typeof originOf>[1];

type Check = { log: FastifyBaseLogger; onWrong: () => void };

type Authenticated = Provisioned & { method: LoginMethod; source: string };

/**
 * Tries all methods with a password in their order. An unreachable directory is reported only when no other method accepts
 * the credentials. `onWrong`: called when a method knows the account, and the password is wrong.
 * @throws CREDENTIALS_INVALID when no method accepts them, SERVICE_UNAVAILABLE when one was unreachable,
 *   ACCOUNT_DISABLED when the credentials are correct, SSO_ACCOUNT_UNKNOWN
 */
export async function authenticate(
  identity: SignInContext,
  form: SignInForm,
  { log, onWrong }: Check,
): Promise<Authenticated> {
  const refusing = new Set<LoginMethod>();
  let unavailable: unknown;
  for (const method of identity.methods) {
    if (method.kind === 'redirect') continue;
    try {
      const result = await authenticateBy(identity, method, form, { log, onWrong });
      if (result) return { ...result, method: method.name, source: method.source };
      refusing.add(method.name);
    } catch (error) {
      identity.metrics.countFailed(method.name, error);
      if (!isAppError(error) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      log.error({ err: error.cause ?? error, source: method.source }, 'sign-in method unavailable');
      unavailable = error;
    }
  }
  for (const name of refusing) identity.metrics.countSignIn(name, 'refused');
  throw unavailable ?? appError('CREDENTIALS_INVALID');
}

async function authenticateBy(
  identity: SignInContext,
  method: LocalMethod | PasswordMethod,
  form: SignInForm,
  { log, onWrong }: Check,
): Promise<Provisioned | undefined> {
  if (method.kind === 'password') {
    const profile = await method.authenticate(form, onWrong);
    const origin = originOf(identity.methods, form);
    return profile && provision(identity, { directory: method.directory, profile, origin }, log);
  }
  const account = await method.authenticate(form, onWrong);
  if (account && account.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
  return account && { account };
}

type LoginParameters = LoginSource & { channel?: string | undefined };

/** A document service, and the parameters in its links. */
type DocumentSource = { method: RedirectMethod; service: DocumentService };

export function documentSources(methods: readonly SignInMethod[]): DocumentSource[] {
  return methods.flatMap((method) => {
    const service = method.kind === 'redirect' ? method.directory.documentService : undefined;
    return method.kind === 'redirect' && service ? [{ method, service }] : [];
  });
}

/**
 * The document service that opened the sign-in page; undefined for none. Only configured services and names count, because
 * anyone can create a link.
 * @throws LOGIN_SOURCE_UNKNOWN
 */
export function documentSourceOf(
  methods: readonly SignInMethod[],
  { ux_from, login_source_id, app_name, bind_other }: LoginSource,
): DocumentSource | undefined {
  if ((ux_from ?? login_source_id ?? app_name ?? bind_other) === undefined) return undefined;
  const found = documentSources(methods).find(
    ({ service }) =>
      service.ux_from === ux_from &&
      service.login_source_id === login_source_id &&
      (app_name === undefined || service.app_name === app_name),
  );
  if (!found) throw appError('LOGIN_SOURCE_UNKNOWN');
  return found;
}

/**
 * The parameters of a sign-in page that a new account stores.
 * @throws LOGIN_SOURCE_UNKNOWN, VALIDATION_FAILED at /channel
 */
export function originOf(methods: readonly SignInMethod[], parameters: LoginParameters): Origin {
  const isFromDocuments = documentSourceOf(methods, parameters) !== undefined;
  return {
    ...(parameters.channel !== undefined && { channel: validateChannel(parameters.channel) }),
    ...(isFromDocuments && { tencent_docs: true }),
  };
}
