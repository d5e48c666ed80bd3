import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { VISIBLE } from '../../../../shared/visible-text.ts';
import { CLIENT_AUTH_METHODS } from '../../../http/client-credentials.ts';

const Text = Type.String({ minLength: 1 });
const Label = Type.String({ minLength: 1, maxLength: 60 });
const HttpUrl = Type.String({ pattern: '^https?://[^\\s/?#]+[^\\s#]*$', maxLength: 2048 });
/** Milliseconds by which clocks may differ. */
const ClockSkew = Type.Integer({ minimum: 0, maximum: 300_000 });

const strict = <P extends TProperties>(fields: P) => Type.Object(fields, { additionalProperties: false });

/** A secret, or the path of a file that contains it. */
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

/** A name that users read. */
const Title = Type.String({ minLength: 1, maxLength: 60, pattern: VISIBLE });

/** Settings of all methods with another directory. */
const federated = {
  /** Id of the directory in addresses and in the database; it must not change later. */
  source: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' })),
  /** Name on the sign-in page. */
  label: Type.Optional(Title),
  /** Role by group. With a map, every sign-in sets the role: the highest one of the user's groups, else `user`. */
  roles: Type.Optional(RoleMap),
  /** If false, only users with an account can sign in. */
  creates_accounts: Type.Optional(Type.Boolean()),
  /** Enterprise of all users of this directory. */
  e_id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  /** Name of that enterprise. */
  e_name: Type.Optional(Title),
  /** Redirect after sign-out: 0 none, 1 to `logout_url` (R 8.14). */
  logout_mode: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
  logout_url: Type.Optional(HttpUrl),
  fields: Type.Optional(FieldNames),
};

const Name = Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' });

/** For a document service: the parameters in its links to the sign-in page (R 2.19). */
const DocumentService = strict({
  ux_from: Type.Optional(Name),
  /** Defaults to `source`. */
  login_source_id: Type.Optional(Name),
  /** Name on the sign-in page. */
  app_name: Label,
});

const client = {
  client_id: Text,
  client_secret: Type.Optional(Secret),
  /** PEM of the private key for `private_key_jwt`, in place of a secret. */
  client_key: Type.Optional(Secret),
  /** The `kid` by which the server knows that key. */
  client_key_id: Type.Optional(Text),
  client_auth: Type.Optional(Type.Enum([...CLIENT_AUTH_METHODS])),
  scope: Type.Optional(Text),
  document_service: Type.Optional(DocumentService),
};

export type ClientSettings = Static<TObject<typeof client>>;

const FederatedSettings = Type.Object({ ...federated, document_service: client.document_service });
export type FederatedSettings = Static<typeof FederatedSettings>;

/** Accounts with a password in this service. */
const LocalSettings = strict({
  method: Type.Literal('local'),
  /** `false`: users of a 1.0.0 configuration do not sign up, whatever SIGN_UP says. */
  sign_up: Type.Optional(Type.Boolean()),
});

/** An LDAP directory (RFC 4511): users are found by a search and authenticated by a bind. */
const LdapSettings = strict({
  method: Type.Literal('ldap'),
  ...federated,
  url: Type.String({ pattern: '^ldaps?://[^\\s/?#]+$' }),
  /** STARTTLS before anything is sent (RFC 4513 section 3); not with ldaps. */
  start_tls: Type.Optional(Type.Boolean()),
  /** Allows plain text without TLS: only for a directory on the same machine. */
  allow_plain: Type.Optional(Type.Boolean()),
  /** PEM file of the certificate authority of the directory. */
  ca_file: Type.Optional(Text),
  /** Service account for the search; anonymous without it. */
  bind_dn: Type.Optional(Text),
  bind_password: Type.Optional(Secret),
  base_dn: Text,
  /** `{account}` is replaced by the typed account, escaped (RFC 4515). */
  filter: Type.Optional(Type.String({ pattern: '^\\(.*\\{account\\}.*\\)$' })),
  /** Finds groups by a separate search instead of an attribute; `{dn}` is replaced by the user's DN, escaped. */
  groups: Type.Optional(
    strict({
      base_dn: Text,
      filter: Type.Optional(Type.String({ pattern: '^\\(.*\\{dn\\}.*\\)$' })),
      name: Type.Optional(Text),
    }),
  ),
  /** Timeout of a sign-in in milliseconds. */
  timeout: Type.Optional(Type.Integer({ minimum: 100, maximum: 60_000 })),
});
export type LdapSettings = Static<typeof LdapSettings>;

/** An OpenID Connect provider (OpenID Connect Discovery 1.0). */
const OidcSettings = strict({
  method: Type.Literal('oidc'),
  ...federated,
  issuer: HttpUrl,
  ...client,
  /** Sign-out also ends the session at the provider (OpenID Connect RP-Initiated Logout 1.0). */
  provider_logout: Type.Optional(Type.Boolean()),
});
export type OidcSettings = Static<typeof OidcSettings>;

/** An OAuth 2 authorization server without ID tokens; users are identified by its user info endpoint. */
const Oauth2Settings = strict({
  method: Type.Literal('oauth2'),
  ...federated,
  authorization_url: HttpUrl,
  token_url: HttpUrl,
  /** Issuer of the server (RFC 9207); defaults to the origin of `token_url`. */
  issuer: Type.Optional(HttpUrl),
  userinfo_url: HttpUrl,
  ...client,
});
export type Oauth2Settings = Static<typeof Oauth2Settings>;

/** A SAML 2.0 identity provider; this site is the service provider. */
const SamlSettings = strict({
  method: Type.Literal('saml'),
  ...federated,
  /** Required issuer of the responses. */
  idp_entity_id: Text,
  idp_sso_url: HttpUrl,
  /** PEM of each accepted signing certificate; several during a certificate rollover. */
  idp_certificates: Type.Array(Text, { minItems: 1, maxItems: 8 }),
  /** Entity id of this site; defaults to the address of its metadata. */
  sp_entity_id: Type.Optional(Text),
  /** What must be signed; by default at least one of response and assertion. */
  signed: Type.Optional(Type.Enum(['either', 'response', 'assertion', 'both'])),
  /** PEM of the private key that signs requests. */
  sp_private_key: Type.Optional(Secret),
  sp_certificate: Type.Optional(Text),
  clock_skew: Type.Optional(ClockSkew),
});
export type SamlSettings = Static<typeof SamlSettings>;

/** A customer's portal that signs its users in with a signed token (RFC 7519). */
const CustomSsoSettings = strict({
  method: Type.Literal('custom_sso'),
  ...federated,
  /** Page of the portal that returns users with a token; `return_url` and `state` are added. */
  login_url: HttpUrl,
  issuer: Text,
  audience: Text,
  /** Key of the portal: address of its key set, or a public key in PEM. */
  jwks_url: Type.Optional(HttpUrl),
  public_key: Type.Optional(Text),
  clock_skew: Type.Optional(ClockSkew),
});
export type CustomSsoSettings = Static<typeof CustomSsoSettings>;

/** A block of each method. */
export const METHOD_SCHEMAS = {
  local: LocalSettings,
  ldap: LdapSettings,
  oidc: OidcSettings,
  oauth2: Oauth2Settings,
  saml: SamlSettings,
  custom_sso: CustomSsoSettings,
} as const;

type Schemas = typeof METHOD_SCHEMAS;
export type MethodSettings = { [N in keyof Schemas]: Static<Schemas[N]> }[keyof Schemas];
