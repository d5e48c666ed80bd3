import { type Static, Type } from 'typebox';
import { externalFields, FieldNames, HttpUrl, Label, Secret } from './common.ts';

const Name = Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' });

/** It is a document service: what its links to the sign-in page say (specification section 2). */
const DocumentService = Type.Object(
  {
    ux_from: Type.Optional(Name),
    /** By default the source. */
    login_source_id: Type.Optional(Name),
    /** What the sign-in page calls it. */
    app_name: Label,
  },
  { additionalProperties: false },
);

const client = {
  client_id: Type.String({ minLength: 1 }),
  client_secret: Secret,
  scope: Type.Optional(Type.String({ minLength: 1 })),
  fields: Type.Optional(FieldNames),
  document_service: Type.Optional(DocumentService),
};

/** An OpenID Connect provider, known by its issuer (OpenID Connect Discovery 1.0). */
export const OidcSettings = Type.Object(
  {
    method: Type.Literal('oidc'),
    ...externalFields,
    issuer: HttpUrl,
    ...client,
    /** Ends the provider's session too (OpenID Connect RP-Initiated Logout 1.0). */
    provider_logout: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type OidcSettings = Static<typeof OidcSettings>;

/** An OAuth 2 authorization server without identity tokens: the person is read from its user info. */
export const Oauth2Settings = Type.Object(
  {
    method: Type.Literal('oauth2'),
    ...externalFields,
    authorization_url: HttpUrl,
    token_url: HttpUrl,
    /** What the server calls itself (RFC 9207); where it does not say, the addresses must do. */
    issuer: Type.Optional(HttpUrl),
    userinfo_url: HttpUrl,
    ...client,
  },
  { additionalProperties: false },
);
export type Oauth2Settings = Static<typeof Oauth2Settings>;
