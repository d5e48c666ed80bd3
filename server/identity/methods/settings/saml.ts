import { type Static, Type } from 'typebox';
import { externalFields, FieldNames, HttpUrl, Secret } from './common.ts';

const Certificate = Type.String({ minLength: 1 });

/** A SAML 2.0 identity provider; the site is its service provider. */
export const SamlSettings = Type.Object(
  {
    method: Type.Literal('saml'),
    ...externalFields,
    /** Who must have issued the responses. */
    idp_entity_id: Type.String({ minLength: 1 }),
    idp_sso_url: HttpUrl,
    /** PEM of each certificate that may sign, old and new beside one another while the provider changes it. */
    idp_certificates: Type.Array(Certificate, { minItems: 1, maxItems: 8 }),
    /** What the site is called at the provider; the address of its metadata when not said. */
    sp_entity_id: Type.Optional(Type.String({ minLength: 1 })),
    /** What must be signed: at least one of both when not said. */
    signed: Type.Optional(Type.Enum(['either', 'response', 'assertion', 'both'])),
    /** Signs requests: PEM of the private key. */
    sp_private_key: Type.Optional(Secret),
    sp_certificate: Type.Optional(Certificate),
    fields: Type.Optional(FieldNames),
    /** Milliseconds that clocks may differ. */
    clock_skew: Type.Optional(Type.Integer({ minimum: 0, maximum: 300_000 })),
  },
  { additionalProperties: false },
);
export type SamlSettings = Static<typeof SamlSettings>;
