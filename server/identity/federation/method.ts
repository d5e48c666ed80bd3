import { USER_SERVICE_TIMEOUT } from '../../../shared/constants.ts';
import type { LoginMethod } from '../../../shared/entities/user.ts';
import { appError } from '../../http/errors.ts';
import type { Account } from '../schema.ts';
import type { FederatedSettings, RoleMap } from './settings-schemas.ts';

export type Credentials = { account: string; password: string };

/** A user as another directory knows them; empty and absent say the same. */
export type ExternalProfile = {
  /** What the directory gives to nobody else, ever. */
  subject: string;
  user_name?: string | undefined;
  email?: string | undefined;
  nick_name?: string | undefined;
  mobile?: string | undefined;
  department?: string | undefined;
  avatar_url?: string | undefined;
  groups: readonly string[];
};

/** By what the links of a document service are known (specification section 2, "Login page"). */
export type DocumentService = { ux_from: string; login_source_id: string; app_name: string };

/** What of a block concerns whoever signs in by it, whatever its method. */
export type Directory = {
  /** Names the block in addresses, and in what is stored of who signed in by it. */
  source: string;
  roles: RoleMap | undefined;
  createsAccounts: boolean;
  eId: number | undefined;
  /** What the enterprise is called. */
  eName: string | undefined;
  /** It is a document service whose links lead here; undefined for all others. */
  documentService: DocumentService | undefined;
};

export type Logout = { logout_mode: 0 | 1; logout_url: string };

type Offer = {
  name: LoginMethod;
  source: string;
  /** What the sign-in page calls it; null: by its method. */
  label: string | null;
  /** Where sign-out leads afterwards: 0 nowhere, 1 to the address (specification section 3). */
  logout?: (() => Promise<Logout>) | undefined;
};

/** Accounts whose passwords we keep ourselves. */
export type LocalMethod = Offer & {
  kind: 'local';
  signUp: boolean;
  /** Undefined when account or password are wrong, in the same time. */
  authenticate(credentials: Credentials): Promise<Account | undefined>;
};

/** A directory that is asked with the password typed on our own page. */
export type PasswordMethod = Offer & {
  kind: 'password';
  directory: Directory;
  /** @throws SERVICE_UNAVAILABLE when the directory cannot be asked */
  authenticate(credentials: Credentials): Promise<ExternalProfile | undefined>;
};

/** What an identity provider has sent back. */
export type Callback = {
  /** Address that was called, with its query. */
  url: URL;
  /** Fields of a form that was posted. */
  form: URLSearchParams | undefined;
  /** What `begin` has returned. */
  secrets: Readonly<Record<string, string>>;
};

/** An identity provider with a sign-in page of its own, to which browsers are redirected. */
export type RedirectMethod = Offer & {
  kind: 'redirect';
  directory: Directory;
  /** Where the browser goes, and what `finish` needs again. `state` comes back with the callback. */
  begin(start: {
    state: string;
    callbackUrl: string;
  }): Promise<{ url: string; secrets: Record<string, string> }>;
  /** The `state` of a callback, before anything of it is trusted. */
  stateOf(callback: Pick<Callback, 'url' | 'form'>): string | undefined;
  /** @throws SSO_REFUSED when it does not prove who signs in, SERVICE_UNAVAILABLE when the provider cannot be asked */
  finish(callback: Callback): Promise<ExternalProfile>;
  /** What the provider must know of us, where its protocol has a document for it. */
  metadata?(callbackUrl: string): { type: string; text: string };
};

/** A way to sign in that a deployment offers. It always leads to an account of our own. */
export type SignInMethod = LocalMethod | PasswordMethod | RedirectMethod;

/** The one document-service case that links name when they name none of their own. */
const DOCUMENTS = 'tencent_docs';

/** What every method of another directory takes from its block. */
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

/** Milliseconds by which the clock of another service may be off. */
export const CLOCK_SKEW = 3 * 60 * 1000;

/** Milliseconds that another service has for a sign-in: less than the gateway waits for us, so that it hears the reason. */
export const PEER_TIMEOUT = USER_SERVICE_TIMEOUT - 2000;

/**
 * What work with another service results in, unless it takes longer than `limit` milliseconds.
 * @throws SERVICE_UNAVAILABLE when it does, and whatever the work throws
 */
export async function withTimeout<T>(limit: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(appError('SERVICE_UNAVAILABLE', { cause: new Error(`no answer within ${limit} ms`) }));
  }, limit);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
