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
  /** What a user types is compared with, see accounts/account-fields.ts. */
  user_name_key: string;
  email: string;
  /** Null for an account without an e-mail address. */
  email_key: string | null;
  /** When the user proved to own the address; null while it was only typed, or told by another directory. */
  email_verified_at: Generated<Date | null>;
  nick_name: string;
  /** What a search is compared with, see accounts/account-fields.ts. */
  nick_name_key: string;
  /** Null for a user who signs in elsewhere only. */
  password_hash: string | null;
  role: Generated<Role>;
  /** Of mails; null until one was chosen. */
  language: Generated<Language | null>;
  mobile: Generated<string>;
  sex: Generated<number>;
  birthday: Generated<string>;
  channel: Generated<string>;
  tencent_docs: Generated<boolean>;
  avatar_url: Generated<string>;
  identification: Generated<string>;
  /** The enterprise the user works in now; counts only while the membership exists. */
  e_id: Generated<number | null>;
  created_at: Date;
  disabled_at: Generated<Date | null>;
  last_sign_in_at: Generated<Date | null>;
  /** When all sessions were ended from outside; codes issued until then open none. */
  signed_out_at: Generated<Date | null>;
  /** Devices that signed in until then are strangers again. */
  devices_since: Generated<Date | null>;
  /** When the account goes unless its user signs in before; null while nobody asked for that. */
  delete_at: Generated<Date | null>;
  /** What becomes of its plugins then. */
  delete_plugins: Generated<PluginsAfter | null>;
  /** Of the mails about it. */
  delete_language: Generated<Language | null>;
  /** When it went; the row says nothing more than its number then. */
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
  /** Which of the deployment's methods it was; null from before that was stored. */
  source: string | null;
  created_at: Date;
  /** When the user proved who they are; null from before it was stored. */
  authenticated_at: Generated<Date | null>;
  expires_at: Date;
  revoked_at: Generated<Date | null>;
  /** What the user signed in with, in a word each; empty when it is not known. */
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
  /** When it was first used although it was good no more. */
  misused_at: Generated<Date | null>;
};

type AuthorizationCodeTable = {
  code_hash: Buffer;
  user_id: number;
  login_method: LoginMethod;
  source: string | null;
  /** Null for a code that a signed-in user asked for. */
  redirect_uri: string | null;
  /** Null for a code that is not bound to who has begun its sign-in. */
  code_challenge: string | null;
  created_at: Date;
  /** When the user proved who they are, which for a code of a session was before. */
  authenticated_at: Generated<Date | null>;
  expires_at: Date;
  used_at: Generated<Date | null>;
  /** The session the code was exchanged for. */
  sid: Generated<string | null>;
};

type SigningKeyTable = {
  kid: string;
  /** Null once it is encrypted; keys of older versions are until the next start. */
  private_jwk: JWK | null;
  sealed_jwk: string | null;
  public_jwk: JWK;
  created_at: Date;
  /** Published before, so that everybody knows it by then. */
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
  /** What the directory says of the user, as of the last sign-in; empty from before that was stored. */
  name: Generated<string>;
  email: Generated<string>;
  created_at: Date;
  last_sign_in_at: Date;
};

/** A sign-in that has gone to another page and is not back yet. */
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
  /** What the directory says of the user. */
  name: Generated<string>;
  email: Generated<string>;
  avatar_url: Generated<string>;
  /** The callback that the id was led back to; null for one that was handed over. */
  redirect_uri: Generated<string | null>;
  expires_at: Date;
};

type SecondFactorTable = {
  user_id: number;
  sealed_secret: string;
  /** The latest step of time whose code was used. */
  last_step: number;
  created_at: Date;
};

type SecondFactorSetupTable = { user_id: number; sealed_secret: string; expires_at: Date };

type RecoveryCodeTable = { user_id: number; code_hash: Buffer; used_at: Generated<Date | null> };

/** A sign-in whose password was right and that waits for more. */
type SignInChallengeTable = {
  token_hash: Buffer;
  user_id: number;
  /** A code is wanted; a second factor is to be set up; that was done and its recovery codes are being saved. */
  kind: 'code' | 'enrol' | 'passed';
  login_method: LoginMethod;
  source: string;
  redirect_uri: string;
  response_type: 'code' | 'none' | null;
  code_challenge: string | null;
  /** Of the second factor that is to be set up. */
  sealed_secret: string | null;
  wrong_codes: Generated<number>;
  created_at: Date;
  expires_at: Date;
};

/** A link by which a user sets a new password; it goes when it is used. */
type PasswordLinkTable = { token_hash: Buffer; user_id: number; expires_at: Date };

/** A sign-up that waits for its user to open the link in the mail. */
type SignUpLinkTable = {
  token_hash: Buffer;
  email: string;
  email_key: string;
  channel: string | null;
  tencent_docs: boolean;
  expires_at: Date;
};

/** A link by which the user of an account proves to own its address. */
type AddressLinkTable = {
  token_hash: Buffer;
  user_id: number;
  email_key: string;
  /** The address that the account is to have; null where it has it already. */
  new_email: Generated<string | null>;
  expires_at: Date;
};

/** The latest change of an account that other services keep something of. */
type AccountChangeTable = { id: Generated<number>; user_id: number; changed_at: Date };

/** A network that an account was signed in from. */
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
