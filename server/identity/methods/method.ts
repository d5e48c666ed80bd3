import type { LoginMethod } from '../../../shared/entities/user.ts';
import type { Account } from '../schema.ts';
import type { RoleMap } from './settings/common.ts';

export type Credentials = { account: string; password: string };

/** A user as another directory knows them; empty and absent say the same. */
export type ExternalPerson = {
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

/** What of a block concerns whoever comes by it, whatever its method. */
export type Directory = {
  /** Names the block in addresses and in the memory of who came by it. */
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
  authenticate(credentials: Credentials): Promise<ExternalPerson | undefined>;
};

/** What came back from another sign-in page. */
export type Arrival = {
  /** Address that was called, with its query. */
  url: URL;
  /** Fields of a form that was posted. */
  form: URLSearchParams | undefined;
  /** What `begin` has kept. */
  secrets: Readonly<Record<string, string>>;
};

/** A sign-in page elsewhere, to which the browser is sent and from which it comes back. */
export type RedirectMethod = Offer & {
  kind: 'redirect';
  directory: Directory;
  /** Where the browser goes, and what is needed again when it is back. `state` comes back with it. */
  begin(start: {
    state: string;
    callbackUrl: string;
  }): Promise<{ url: string; secrets: Record<string, string> }>;
  /** The `state` of what came back, before anything of it is trusted. */
  stateOf(arrival: Pick<Arrival, 'url' | 'form'>): string | undefined;
  /** @throws SSO_REFUSED when it does not prove who came, SERVICE_UNAVAILABLE when the other side cannot be asked */
  finish(arrival: Arrival): Promise<ExternalPerson>;
  /** What the other side must know of us, where its protocol has a document for it. */
  metadata?(callbackUrl: string): { type: string; text: string };
};

/** A way to sign in that a deployment offers. What it makes of a person is always an account of our own. */
export type SignInMethod = LocalMethod | PasswordMethod | RedirectMethod;
