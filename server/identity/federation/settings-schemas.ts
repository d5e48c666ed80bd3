import { type Static, type TProperties, Type } from 'typebox';

const Text = Type.String({ minLength: 1 });
const Label = Type.String({ minLength: 1, maxLength: 60 });
const HttpUrl = Type.String({ pattern: '^https?://[^\\s/?#]+[^\\s#]*$', maxLength: 2048 });
/** Milliseconds that clocks may differ. */
const ClockSkew = Type.Integer({ minimum: 0, maximum: 300_000 });

const strict = <P extends TProperties>(fields: P) => Type.Object(fields, { additionalProperties: false });

/** A secret in the block itself, or the file that holds it. */
const Secret = Type.Union([Text, strict({ file: Text })]);
export type Secret = Static<typeof Secret>;

const RoleMap = Type.Record(Text, Type.Enum(['user', 'admin', 'super_admin']));
export type RoleMap = Static<typeof RoleMap>;

/** Names of the claims or attributes that fill an account. */
const FieldNames = strict({
  subject: Type.Optional(Label),
  user_name: Type.Optional(Label),
  email: Type.Optional(Label),
  nick_name: Type.Optional(Label),
  mobile: Type.Optional(Label),
  department: Type.Optional(Label),
  avatar_url: Type.Optional(Label),
  groups: Type.Optional(Label),
});
export type FieldNames = Static<typeof FieldNames>;

/** What a block of every method of another directory may say. */
const federated = {
  /** Names the block in addresses, and in what is stored of who signed in by it: it must not change later. */
  source: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' })),
  /** What the sign-in page calls it. */
  label: Type.Optional(Label),
  /** Role by group. With a map, every sign-in sets the role: the highest of the groups', else `user`. */
  roles: Type.Optional(RoleMap),
  /** False lets only those in who have an account already. */
  creates_accounts: Type.Optional(Type.Boolean()),
  /** The enterprise that everybody of this directory belongs to. */
  e_id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  /** What that enterprise is called. */
  e_name: Type.Optional(Label),
  /** Where sign-out leads for users who signed in by it: 0 nowhere, 1 to `logout_url` (specification section 3). */
  logout_mode: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
  logout_url: Type.Optional(HttpUrl),
  fields: Type.Optional(FieldNames),
};

const Name = Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' });

/** It is a document service: what its links to the sign-in page say (specification section 2). */
const DocumentService = strict({
  ux_from: Type.Optional(Name),
  /** By default the source. */
  login_source_id: Type.Optional(Name),
  /** What the sign-in page calls it. */
  app_name: Label,
});

const client = {
  client_id: Text,
  client_secret: Secret,
  scope: Type.Optional(Text),
  document_service: Type.Optional(DocumentService),
};

const FederatedSettings = Type.Object({ ...federated, document_service: client.document_service });
export type FederatedSettings = Static<typeof FederatedSettings>;

/** Accounts whose passwords we keep ourselves. */
const LocalSettings = strict({
  method: Type.Literal('local'),
  /** Whether visitors may make an account. */
  sign_up: Type.Optional(Type.Boolean()),
});
export type LocalSettings = Static<typeof LocalSettings>;

/** A directory asked over LDAP (RFC 4511): found by a search, proved by a bind. */
const LdapSettings = strict({
  method: Type.Literal('ldap'),
  ...federated,
  url: Type.String({ pattern: '^ldaps?://[^\\s/?#]+$' }),
  /** Goes over to TLS before anything is said (RFC 4513 section 3); not with ldaps. */
  start_tls: Type.Optional(Type.Boolean()),
  /** Without TLS passwords would travel readable: only for a directory on the same machine. */
  allow_plain: Type.Optional(Type.Boolean()),
  /** PEM file of the authority that signed the directory's certificate. */
  ca_file: Type.Optional(Text),
  /** Who searches; without it the search is anonymous. */
  bind_dn: Type.Optional(Text),
  bind_password: Type.Optional(Secret),
  base_dn: Text,
  /** `{account}` stands for what was typed, escaped (RFC 4515). */
  filter: Type.Optional(Type.String({ pattern: '^\\(.*\\{account\\}.*\\)$' })),
  /** Groups by a search of their own instead of an attribute; `{dn}` stands for the user's entry, escaped. */
  groups: Type.Optional(
    strict({
      base_dn: Text,
      filter: Type.Optional(Type.String({ pattern: '^\\(.*\\{dn\\}.*\\)$' })),
      name: Type.Optional(Text),
    }),
  ),
  /** Milliseconds that the directory has for a sign-in. */
  timeout: Type.Optional(Type.Integer({ minimum: 100, maximum: 60_000 })),
});
export type LdapSettings = Static<typeof LdapSettings>;

/** An OpenID Connect provider, known by its issuer (OpenID Connect Discovery 1.0). */
const OidcSettings = strict({
  method: Type.Literal('oidc'),
  ...federated,
  issuer: HttpUrl,
  ...client,
  /** Ends the provider's session too (OpenID Connect RP-Initiated Logout 1.0). */
  provider_logout: Type.Optional(Type.Boolean()),
});
export type OidcSettings = Static<typeof OidcSettings>;

/** An OAuth 2 authorization server without identity tokens: the user is read from its user info. */
const Oauth2Settings = strict({
  method: Type.Literal('oauth2'),
  ...federated,
  authorization_url: HttpUrl,
  token_url: HttpUrl,
  /** What the server calls itself (RFC 9207); where it does not say, the addresses must do. */
  issuer: Type.Optional(HttpUrl),
  userinfo_url: HttpUrl,
  ...client,
});
export type Oauth2Settings = Static<typeof Oauth2Settings>;

/** A SAML 2.0 identity provider; the site is its service provider. */
const SamlSettings = strict({
  method: Type.Literal('saml'),
  ...federated,
  /** Who must have issued the responses. */
  idp_entity_id: Text,
  idp_sso_url: HttpUrl,
  /** PEM of each certificate that may sign, old and new beside one another while the provider changes it. */
  idp_certificates: Type.Array(Text, { minItems: 1, maxItems: 8 }),
  /** What the site is called at the provider; the address of its metadata when not said. */
  sp_entity_id: Type.Optional(Text),
  /** What must be signed: at least one of both when not said. */
  signed: Type.Optional(Type.Enum(['either', 'response', 'assertion', 'both'])),
  /** Signs requests: PEM of the private key. */
  sp_private_key: Type.Optional(Secret),
  sp_certificate: Type.Optional(Text),
  clock_skew: Type.Optional(ClockSkew),
});
export type SamlSettings = Static<typeof SamlSettings>;

/** The customer's portal, which signs its users in with a token that it has signed (RFC 7519). */
const CustomSsoSettings = strict({
  method: Type.Literal('custom_sso'),
  ...federated,
  /** The portal's page that sends users back with a token; `return_url` and `state` are added to it. */
  login_url: HttpUrl,
  issuer: Text,
  audience: Text,
  /** The portal's key: an address of its key set, or a public key in PEM. */
  jwks_url: Type.Optional(HttpUrl),
  public_key: Type.Optional(Text),
  clock_skew: Type.Optional(ClockSkew),
});
export type CustomSsoSettings = Static<typeof CustomSsoSettings>;

/** The schema of a block, by its method. */
export const METHOD_SCHEMAS = {
  local: LocalSettings,
  ldap: LdapSettings,
  oidc: OidcSettings,
  oauth2: Oauth2Settings,
  saml: SamlSettings,
  custom_sso: CustomSsoSettings,
} as const;
