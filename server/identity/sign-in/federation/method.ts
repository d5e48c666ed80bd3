import { USER_SERVICE_TIMEOUT } from '../../../../shared/constants.ts';
import type { LoginMethod } from '../../../../shared/entities/user.ts';
import { appError } from '../../../http/errors.ts';
import { SSO_LIFETIME } from '../../lifetimes.ts';
import type { Account, IdentityDb } from '../../schema.ts';
import { newSecret, type Random, secretHash } from '../../secret.ts';
import type { FederatedSettings, RoleMap } from './settings-schema.ts';
import { insertSsoLogin, type SsoLogin } from './store.ts';

export type Credentials = { account: string; password: string };

/** A user of another directory; empty and absent fields are equivalent. */
export type ExternalProfile = {
  /** Unique and never reassigned in the directory. */
  subject: string;
  user_name?: string | undefined;
  email?: string | undefined;
  nick_name?: string | undefined;
  mobile?: string | undefined;
  department?: string | undefined;
  avatar_url?: string | undefined;
  groups: readonly string[];
};

/** Query parameters in the links of a document service (R 2.19). */
export type DocumentService = { ux_from: string; login_source_id: string; app_name: string };

/** The settings of a directory that do not depend on its protocol. */
export type Directory = {
  /** Id of the directory in addresses and in the database. */
  source: string;
  roles: RoleMap | undefined;
  createsAccounts: boolean;
  eId: number | undefined;
  eName: string | undefined;
  /** Set for a document service whose links open the sign-in page. */
  documentService: DocumentService | undefined;
};

export type Logout = { logout_mode: 0 | 1; logout_url: string };

type Offer = {
  name: LoginMethod;
  source: string;
  /** Name on the sign-in page; null for the default name of the method. */
  label: string | null;
  /** Redirect after sign-out: mode 0 none, 1 to the address (R 8.14). */
  logout?: (() => Promise<Logout>) | undefined;
};

/** Accounts with a password in this service. */
export type LocalMethod = Offer & {
  kind: 'local';
  /** Undefined when account or password is wrong; both take the same time. `onWrong`: called for the password. */
  authenticate(credentials: Credentials, onWrong: () => void): Promise<Account | undefined>;
};

/** A directory that checks a password typed on our own page. */
export type PasswordMethod = Offer & {
  kind: 'password';
  directory: Directory;
  /**
   * Undefined when account or password is wrong. `onWrong`: called when it is the password, as far as the directory tells.
   * @throws SERVICE_UNAVAILABLE when the directory is unreachable
   */
  authenticate(credentials: Credentials, onWrong: () => void): Promise<ExternalProfile | undefined>;
};

/** The callback of an identity provider. */
export type Callback = {
  /** Requested address with its query. */
  url: URL;
  /** Posted form, if any. */
  form: URLSearchParams | undefined;
  /** The `secrets` that `begin` returned. */
  secrets: Readonly<Record<string, string>>;
};

/** An identity provider with its own sign-in page, to which browsers are redirected. */
export type RedirectMethod = Offer & {
  kind: 'redirect';
  directory: Directory;
  /** Address of the provider, and secrets for `finish`. The callback returns `state`. */
  begin(start: {
    state: string;
    callbackUrl: string;
  }): Promise<{ url: string; secrets: Record<string, string> }>;
  /** The `state` of a callback that is not verified yet. */
  stateOf(callback: Pick<Callback, 'url' | 'form'>): string | undefined;
  /** @throws SSO_REFUSED when the callback does not authenticate a user, SERVICE_UNAVAILABLE when the provider is unreachable */
  finish(callback: Callback): Promise<ExternalProfile>;
  /** Our metadata document, if the protocol has one. */
  metadata?(callbackUrl: string): { type: string; text: string };
};

/** A sign-in method of the deployment. It always leads to a local account. */
export type SignInMethod = LocalMethod | PasswordMethod | RedirectMethod;

/** Default `ux_from` of a document service. */
const DOCUMENTS = 'tencent_docs';

/** The common part of all methods with another directory. */
export function federatedMethod(settings: FederatedSettings & { method: LoginMethod }, source: string) {
  const { method, logout_mode, logout_url = '', document_service } = settings;
  const directory: Directory = {
    source,
    roles: settings.roles,
    createsAccounts: settings.creates_accounts ?? true,
    eId: settings.e_id,
    eName: settings.e_name,
    documentService: document_service && { ux_from: DOCUMENTS, login_source_id: source, ...document_service },
  };
  return {
    name: method,
    source,
    label: settings.label ?? document_service?.app_name ?? null,
    directory,
    logout: logout_mode === undefined ? undefined : async () => ({ logout_mode, logout_url }),
  };
}

/** Timeout in milliseconds for another service: shorter than the gateway's timeout for us, so that it gets our error. */
export const PEER_TIMEOUT = USER_SERVICE_TIMEOUT - 2000;

/**
 * The result of work with another service.
 * @throws SERVICE_UNAVAILABLE after `limit` milliseconds, and what the work throws
 */
export async function withTimeout<T>(limit: number, work: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    timeout.reject(appError('SERVICE_UNAVAILABLE', { cause: new Error(`timed out after ${limit} ms`) }));
  }, limit);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export function callbackUrl(publicUrl: string, source: string): string {
  return `${publicUrl}/user/sso/${source}/callback`;
}

/** Address of our metadata document for a provider. */
export function metadataUrl(publicUrl: string, source: string): string {
  return `${publicUrl}/user/sso/${source}/metadata`;
}

export function findRedirectMethod(
  methods: readonly SignInMethod[],
  source: string,
): RedirectMethod | undefined {
  return methods.filter((method) => method.kind === 'redirect').find((method) => method.source === source);
}

type RedirectContext = { db: IdentityDb; now: () => number; random: Random; peerTimeout: number };

/**
 * Starts a sign-in at an identity provider and returns its address. The state of the sign-in is stored in the database, not
 * in a cookie. `login.source`: name for `consumeSsoLogin`; `backTo`: callback address for the provider.
 * @throws SERVICE_UNAVAILABLE
 */
export async function redirectToProvider(
  { db, now, random, peerTimeout }: RedirectContext,
  method: RedirectMethod,
  { backTo, ...login }: Omit<SsoLogin, 'secrets'> & { backTo: string },
): Promise<{ go_to: string }> {
  const state = newSecret(random);
  const { url, secrets } = await withTimeout(peerTimeout, method.begin({ state, callbackUrl: backTo }));
  await insertSsoLogin(db, secretHash(state), { ...login, secrets }, new Date(now() + SSO_LIFETIME));
  return { go_to: url };
}
