import { type Static, Type } from 'typebox';
import { externalFields, FieldNames, HttpUrl } from './common.ts';

/** The customer's portal, which hands people over with a token that it has signed (RFC 7519). */
export const CustomSsoSettings = Type.Object(
  {
    method: Type.Literal('custom_sso'),
    ...externalFields,
    /** The portal's page that sends people back with a token; `return_url` and `state` are added to it. */
    login_url: HttpUrl,
    issuer: Type.String({ minLength: 1 }),
    audience: Type.String({ minLength: 1 }),
    /** The portal's key: an address of its key set, or a public key in PEM. */
    jwks_url: Type.Optional(HttpUrl),
    public_key: Type.Optional(Type.String({ minLength: 1 })),
    fields: Type.Optional(FieldNames),
    /** Milliseconds that clocks may differ. */
    clock_skew: Type.Optional(Type.Integer({ minimum: 0, maximum: 300_000 })),
  },
  { additionalProperties: false },
);
export type CustomSsoSettings = Static<typeof CustomSsoSettings>;
