import type { JWK } from 'jose';
import type { ColumnType, Generated, Kysely, Selectable } from 'kysely';
import type { LoginMethod, Role } from '../../shared/entities/user.ts';
import type { Language } from '../../shared/languages.ts';
import type { PluginsAfter } from '../../shared/routes/account.ts';

/** Name of the service's PostgreSQL schema. */
export const SCHEMA = 'identity';

type AccountTable = {
  user_id: Generated<number>;
  user_name: string;
  /** Normalized for comparison, see `accountKey`. */
  user_name_key: string;
  email: string;
  /** Null for an account without an e-mail address. */
  email_key: string | null;
  /** When the user verified the address; null for a typed one, or one from another directory. */
  email_verified_at: Generated<Date | null>;
  nick_name: string;
  /** Normalized for search, see `accountKey`. */
  nick_name_key: string;
  /** Null for a user who signs in through another provider only. */
  password_hash: string | null;
  role: Generated<Role>;
  /** Language of mails; null until the user has chosen one. */
  language: Generated<Language | null>;
  mobile: Generated<string>;
  sex: Generated<number>;
  birthday: Generated<string>;
  channel: Generated<string>;
  tencent_docs: Generated<boolean>;
  avatar_url: Generated<string>;
  identification: Generated<string>;
  /** Current enterprise; ignored unless the user is a member of it. */
  e_id: Generated<number | null>;
  created_at: Date;
  disabled_at: Generated<Date | null>;
  last_sign_in_at: Generated<Date | null>;
  /** Last sign-out everywhere; codes issued until then are invalid. */
  signed_out_at: Generated<Date | null>;
  /** Devices that signed in until then are unknown again. */
  devices_since: Generated<Date | null>;
  /** Scheduled deletion, which a sign-in before cancels; null without one. */
  delete_at: Generated<Date | null>;
  /** What happens to the user's plugins then. */
  delete_plugins: Generated<PluginsAfter | null>;
  /** Language of the mails about it. */
  delete_language: Generated<Language | null>;
  /** When it was deleted; from then on the row contains no personal data. */
  deleted_at: Generated<Date | null>;
};

type EnterpriseMemberTable = {
  user_id: number;
  e_id: number;
  department: Generated<string>;
  is_owner: Generated<boolean>;
  is_administrator: Generated<boolean>;
  staff_status: Generated<number>;
};

type SessionTable = {
  sid: string;
  user_id: number;
  login_method: LoginMethod;
  /** Id of the provider; null for sessions from before it was stored. */
  source: string | null;
  created_at: Date;
  /** When the user authenticated; null for sessions from before it was stored. */
  authenticated_at: Generated<Date | null>;
  expires_at: Date;
  revoked_at: Generated<Date | null>;
  /** Browser and operating system; empty when unknown. */
  browser: Generated<string>;
  system: Generated<string>;
  last_active_at: Date;
};

type RefreshTokenTable = {
  token_hash: Buffer;
  sid: string;
  created_at: Date;
  expires_at: Date;
  replaced_at: Generated<Date | null>;
  /** First use after the token was invalidated. */
  misused_at: Generated<Date | null>;
};

type AuthorizationCodeTable = {
  code_hash: Buffer;
  user_id: number;
  login_method: LoginMethod;
  source: string | null;
  /** Null for a code that a signed-in user requested. */
  redirect_uri: string | null;
  /** Null for an unbound code. */
  code_challenge: string | null;
  created_at: Date;
  /** When the user authenticated; earlier than `created_at` for a code of a session. */
  authenticated_at: Generated<Date | null>;
  expires_at: Date;
  used_at: Generated<Date | null>;
  /** The session the code was exchanged for. */
  sid: Generated<string | null>;
};

type SigningKeyTable = {
  kid: string;
  /** Plain-text key of an older version, until the next start encrypts it. */
  private_jwk: JWK | null;
  sealed_jwk: string | null;
  public_jwk: JWK;
  created_at: Date;
  /** The key is published earlier, so that all caches have it by then. */
  signs_from: Date;
  retired_at: Generated<Date | null>;
};

type AttemptTable = {
  subject: Buffer;
  attempts: number;
  last_at: Date;
  blocked_until: Date;
};

type MemberChangeTable = {
  id: Generated<number>;
  actor_id: number;
  user_id: number;
  action: string;
  detail: ColumnType<Record<string, string | number | boolean | null>, string, never>;
  created_at: Date;
};

type ExternalIdentityTable = {
  source: string;
  subject: string;
  user_id: number;
  /** Name and address in the directory at the last sign-in; empty from before they were stored. */
  name: Generated<string>;
  email: Generated<string>;
  created_at: Date;
  last_sign_in_at: Date;
};

/** A pending sign-in at an identity provider. */
type SsoLoginTable = {
  state_hash: Buffer;
  source: string;
  secrets: ColumnType<Record<string, string>, string, never>;
  parameters: ColumnType<Record<string, string>, string, never>;
  expires_at: Date;
};

type UsedProofTable = { source: string; proof_hash: Buffer; expires_at: Date };

type PendingBindTable = {
  id_hash: Buffer;
  source: string;
  subject: string;
  user_id: number;
  /** Fields of the user in the directory. */
  name: Generated<string>;
  email: Generated<string>;
  avatar_url: Generated<string>;
  /** The callback that received the id; null when a client received it directly. */
  redirect_uri: Generated<string | null>;
  expires_at: Date;
};

type SecondFactorTable = {
  user_id: number;
  sealed_secret: string;
  /** The last time step whose code was used. */
  last_step: number;
  created_at: Date;
};

type SecondFactorSetupTable = { user_id: number; sealed_secret: string; expires_at: Date };

type RecoveryCodeTable = { user_id: number; code_hash: Buffer; used_at: Generated<Date | null> };

/** A pending sign-in after a correct password. */
type SignInChallengeTable = {
  token_hash: Buffer;
  user_id: number;
  /** Waits for a code, for the setup of a second factor, or for the user to save the recovery codes. */
  kind: 'code' | 'enrol' | 'passed';
  login_method: LoginMethod;
  source: string;
  redirect_uri: string;
  response_type: 'code' | 'none' | null;
  code_challenge: string | null;
  /** Secret of the second factor during setup. */
  sealed_secret: string | null;
  wrong_codes: Generated<number>;
  created_at: Date;
  expires_at: Date;
};

/** A link for setting a new password; deleted when used. */
type PasswordLinkTable = { token_hash: Buffer; user_id: number; expires_at: Date };

/** A mailed link that completes a sign-up. */
type SignUpLinkTable = {
  token_hash: Buffer;
  email: string;
  email_key: string;
  channel: string | null;
  tencent_docs: boolean;
  expires_at: Date;
};

/** A mailed link that verifies an address. */
type AddressLinkTable = {
  token_hash: Buffer;
  user_id: number;
  email_key: string;
  /** The new address; null for a link that verifies the current one. */
  new_email: Generated<string | null>;
  expires_at: Date;
};

/** The latest change of an account, for other services. */
type AccountChangeTable = { id: Generated<number>; user_id: number; changed_at: Date };

/** A network that an account signed in from. */
type KnownNetworkTable = { subject: Buffer; last_at: Date };

type RoleChangeTable = {
  id: Generated<number>;
  user_id: number;
  role: Role;
  changed_at: Date;
};

type NoticeMailTable = {
  id: Generated<number>;
  key: string;
  user_id: number;
  kind: string;
  data: unknown;
  created_at: Date;
  state: Generated<'waiting' | 'handed_over' | 'sent' | 'uncertain' | 'dropped'>;
  tries: Generated<number>;
  next_try_at: Date;
  handed_over_at: Date | null;
};

export type IdentityTables = {
  account: AccountTable;
  enterprise: { e_id: number; name: string };
  enterprise_member: EnterpriseMemberTable;
  session: SessionTable;
  refresh_token: RefreshTokenTable;
  authorization_code: AuthorizationCodeTable;
  signing_key: SigningKeyTable;
  attempt: AttemptTable;
  member_change: MemberChangeTable;
  external_identity: ExternalIdentityTable;
  sso_login: SsoLoginTable;
  used_proof: UsedProofTable;
  pending_bind: PendingBindTable;
  password_link: PasswordLinkTable;
  sign_up_link: SignUpLinkTable;
  address_link: AddressLinkTable;
  account_change: AccountChangeTable;
  role_change: RoleChangeTable;
  notice_mail: NoticeMailTable;
  mail_opt_out: { user_id: number; kind: string; created_at: Date };
  known_network: KnownNetworkTable;
  second_factor: SecondFactorTable;
  second_factor_setup: SecondFactorSetupTable;
  recovery_code: RecoveryCodeTable;
  sign_in_challenge: SignInChallengeTable;
};

export type IdentityDb = Kysely<IdentityTables>;
export type Account = Selectable<AccountTable>;
