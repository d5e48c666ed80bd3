import { type Static, Type } from 'typebox';
import { externalFields, FieldNames, Secret } from './common.ts';

/** A directory asked over LDAP (RFC 4511): found by a search, proved by a bind. */
export const LdapSettings = Type.Object(
  {
    method: Type.Literal('ldap'),
    ...externalFields,
    url: Type.String({ pattern: '^ldaps?://[^\\s/?#]+$' }),
    /** Goes over to TLS before anything is said (RFC 4513 section 3); not with ldaps. */
    start_tls: Type.Optional(Type.Boolean()),
    /** Without TLS passwords would travel readable: only for a directory on the same machine. */
    allow_plain: Type.Optional(Type.Boolean()),
    /** PEM file of the authority that signed the directory's certificate. */
    ca_file: Type.Optional(Type.String({ minLength: 1 })),
    /** Who searches; without it the search is anonymous. */
    bind_dn: Type.Optional(Type.String({ minLength: 1 })),
    bind_password: Type.Optional(Secret),
    base_dn: Type.String({ minLength: 1 }),
    /** `{account}` stands for what was typed, escaped (RFC 4515). */
    filter: Type.Optional(Type.String({ pattern: '^\\(.*\\{account\\}.*\\)$' })),
    fields: Type.Optional(FieldNames),
    /** Groups by a search of their own instead of an attribute; `{dn}` stands for the person, escaped. */
    groups: Type.Optional(
      Type.Object(
        {
          base_dn: Type.String({ minLength: 1 }),
          filter: Type.Optional(Type.String({ pattern: '^\\(.*\\{dn\\}.*\\)$' })),
          name: Type.Optional(Type.String({ minLength: 1 })),
        },
        { additionalProperties: false },
      ),
    ),
    /** Milliseconds that the directory has for a sign-in. */
    timeout: Type.Optional(Type.Integer({ minimum: 100, maximum: 60_000 })),
  },
  { additionalProperties: false },
);
export type LdapSettings = Static<typeof LdapSettings>;

/** Whether passwords would travel readable although nobody has said that they may. */
export function requiresTls({ url, start_tls, allow_plain }: LdapSettings): boolean {
  return url.startsWith('ldap:') && !start_tls && !allow_plain;
}
