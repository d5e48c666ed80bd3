import { readFileSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type DeployType, isPrivate, type SignUp } from '../../../../shared/deploy-types.ts';
import { VISIBLE } from '../../../../shared/visible-text.ts';
import { startError } from '../../../database/errors.ts';
import {
  CLIENT_AUTH_METHODS,
  type ClientCredentials,
  readPrivateKey,
} from '../../../http/client-credentials.ts';

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

const METHOD_SCHEMAS = {
  local: LocalSettings,
  ldap: LdapSettings,
  oidc: OidcSettings,
  oauth2: Oauth2Settings,
  saml: SamlSettings,
  custom_sso: CustomSsoSettings,
} as const;

type Schemas = typeof METHOD_SCHEMAS;
export type MethodSettings = { [N in keyof Schemas]: Static<Schemas[N]> }[keyof Schemas];

/** Without IDENTITY_METHODS a deployment has local accounts only. */
export const DEFAULT_METHODS: readonly MethodSettings[] = [{ method: 'local' }];

/**
 * The sign-in methods of a deployment, from IDENTITY_METHODS: a JSON array with one block per method.
 * @throws StartError with the block and the problem
 */
export function readMethodSettings(text: string | undefined): readonly MethodSettings[] {
  if (text === undefined) return DEFAULT_METHODS;
  const blocks = parsed(text);
  if (!Array.isArray(blocks) || blocks.length === 0) {
    throw startError('IDENTITY_METHODS must be a JSON array with one block for each method.');
  }
  const settings = blocks.map((block, index) => readBlock(block, index + 1));
  const sources = settings.map(sourceOf);
  const twice = sources.find((source, index) => sources.indexOf(source) !== index);
  if (twice !== undefined) {
    throw startError(`IDENTITY_METHODS has two blocks called "${twice}": give each a "source" of its own.`);
  }
  return settings;
}

/** Who may create a local account: as SIGN_UP says, and nobody without local accounts. */
export function signUpOf(methods: readonly MethodSettings[], configured: SignUp): SignUp {
  const local = methods.find((block) => block.method === 'local');
  if (!local) return 'closed';
  return configured === 'open' && local.sign_up === false ? 'invited' : configured;
}

/** Names the blocks whose sign-out at the provider nobody uses, because only private sites do (R 8.14). */
export function warnOfUnusedSignOut(
  methods: readonly MethodSettings[],
  deployType: DeployType,
  log: Pick<FastifyBaseLogger, 'warn'>,
): void {
  if (isPrivate(deployType)) return;
  const sources = methods.filter(hasOwnSignOut).map(sourceOf);
  if (sources.length > 0)
    log.warn(
      { sources },
      'provider_logout and logout_mode 1 have no effect: only private sites (DEPLOY_TYPE) sign out there',
    );
}

function hasOwnSignOut(settings: MethodSettings): boolean {
  return endsAtProvider(settings) || ('logout_mode' in settings && settings.logout_mode === 1);
}

function endsAtProvider(settings: MethodSettings): boolean {
  return settings.method === 'oidc' && settings.provider_logout === true;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw startError('IDENTITY_METHODS is not valid JSON.', error);
  }
}

function readBlock(block: unknown, place: number): MethodSettings {
  const method = String(Object(block).method);
  const schema = Object.entries(METHOD_SCHEMAS).find(([name]) => name === method)?.[1];
  if (!schema) {
    const names = Object.keys(METHOD_SCHEMAS).join(', ');
    throw startError(`IDENTITY_METHODS, block ${place}: "method" must be one of ${names}.`);
  }
  if (Value.Check(schema, block)) {
    const name = `IDENTITY_METHODS, block ${place} (${method})`;
    if ('client_id' in block) checkCredentials(block, name);
    if (hasOwnSignOut(block) && !endsAtProvider(block) && !('logout_url' in block))
      throw startError(`${name}: logout_mode 1 needs a logout_url.`);
    return block;
  }
  const [first] = Value.Errors(schema, block);
  const where = first?.instancePath || '/';
  throw startError(
    `IDENTITY_METHODS, block ${place} (${method}): ${where} ${first?.message ?? 'is not valid'}.`,
  );
}

type Client = Static<TObject<typeof client>>;

/** @throws StartError without what the method needs */
function checkCredentials(settings: Client, place: string): void {
  const { client_secret, client_key, client_auth } = settings;
  if (client_secret === undefined && client_key === undefined)
    throw startError(`${place}: it needs a client_secret or a client_key.`);
  const needed = client_auth === 'private_key_jwt' ? 'client_key' : 'client_secret';
  if (client_auth !== undefined && settings[needed] === undefined)
    throw startError(`${place}: ${client_auth} needs a ${needed}.`);
  clientCredentials(settings);
}

/** @throws StartError when a file cannot be read, or the key is not a private key */
export function clientCredentials(settings: Client): ClientCredentials {
  const { client_secret, client_key, client_key_id, client_auth } = settings;
  return {
    method: client_auth,
    secret: client_secret === undefined ? undefined : secretText(client_secret),
    key: client_key === undefined ? undefined : privateKeyOf(secretText(client_key)),
    keyId: client_key_id,
  };
}

function privateKeyOf(text: string) {
  try {
    return readPrivateKey(text);
  } catch {
    throw startError('IDENTITY_METHODS has a client_key that is not a private key in PEM.');
  }
}

/** Id of a block in addresses and in the database. */
export function sourceOf(settings: MethodSettings): string {
  const own = 'source' in settings ? settings.source : undefined;
  return own ?? settings.method.replace('_', '-');
}

/** @throws StartError when the file of the secret cannot be read */
export function secretText(secret: Secret): string {
  if (typeof secret === 'string') return secret;
  try {
    return readFileSync(secret.file, 'utf8').trim();
  } catch (error) {
    throw startError(`IDENTITY_METHODS names a file that cannot be read: ${secret.file}.`, error);
  }
}
