import type { SamlSettings } from '../../../server/identity/federation/settings-schemas.ts';

/** How an identity provider answers. `clock`: milliseconds by which it is off; good for one minute. */
export type Asked = {
  password: string;
  clock?: number;
  /** Whom the assertion is made for, when not for who has asked: only `OTHER_SITE` is known. */
  audience?: string;
  isEncrypted?: boolean;
};

/** An identity provider made by somebody else, which knows one person: ada, `PASSWORD`. */
export type SamlPeer = {
  /** What it must be called in IDENTITY_METHODS. */
  settings: Pick<SamlSettings, 'idp_entity_id' | 'idp_sso_url' | 'idp_certificates'>;
  /** Gets to know the site by the site's own metadata. */
  trust(metadata: string): Promise<void>;
  /** Reads the request in an address and answers it as XML; a wrong password by a response that says so. */
  answer(address: URL, asked: Asked): Promise<string>;
};

export const IDP = { entityId: 'https://idp.example/metadata', ssoUrl: 'https://idp.example/sso' };
/** Another site that trusts the same provider. */
export const OTHER_SITE = 'https://other.example/metadata';
export const PASSWORD = 'ada-password';
export const ATTRIBUTES = { uid: 'ada', mail: 'ada@example.org', displayName: 'Ada Lovelace' };
export const SUBJECT = 'ada-7';
