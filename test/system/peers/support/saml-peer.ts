import type { SamlSettings } from '../../../../server/identity/sign-in/federation/settings-schema.ts';

/** Response of an identity provider, valid for one minute. `clock`: clock skew in milliseconds. */
export type Asked = {
  password: string;
  clock?: number;
  /** Audience of the assertion if not the requester: only `OTHER_SITE` is known. */
  audience?: string;
  isEncrypted?: boolean;
};

/** A third-party identity provider with one user: ada, `PASSWORD`. */
export type SamlPeer = {
  /** Its block in IDENTITY_METHODS. */
  settings: Pick<SamlSettings, 'idp_entity_id' | 'idp_sso_url' | 'idp_certificates'>;
  /** Configures the site by its own metadata. */
  trust(metadata: string): Promise<void>;
  /** Responds to the request in an address with XML, also to a wrong password. */
  answer(address: URL, asked: Asked): Promise<string>;
};

export const IDP = { entityId: 'https://idp.example/metadata', ssoUrl: 'https://idp.example/sso' };
/** Another site that trusts the same provider. */
export const OTHER_SITE = 'https://other.example/metadata';
export const PASSWORD = 'ada-password';
export const ATTRIBUTES = { uid: 'ada', mail: 'ada@example.org', displayName: 'Ada Lovelace' };
export const SUBJECT = 'ada-7';
