import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { toolFields } from '../../../shared/entities/tool.ts';
import { REDIRECT_ADDRESSES_MAX, TOOL_SCOPES } from '../../../shared/tool-metadata.ts';
import { startError } from '../../database/errors.ts';
import { SIGNING_ALGORITHM } from '../../encryption/signing-key.ts';

/** All scopes: those of OpenID Connect, and of our API. */
const OPENID_SCOPES = ['openid', 'profile', 'offline_access'];
export const SCOPES: readonly string[] = [...OPENID_SCOPES, ...TOOL_SCOPES];

/** A tool of the setting. */
const OauthClient = Type.Object(
  {
    ...toolFields,
    redirect_uris: Type.Array(toolFields.redirect_uris.items, {
      minItems: 1,
      maxItems: REDIRECT_ADDRESSES_MAX,
    }),
    /** By default with a code that comes back to it. */
    grant_types: Type.Optional(toolFields.grant_types),
  },
  { additionalProperties: false },
);
export type OauthClient = Static<typeof OauthClient>;

/** Reads OAUTH_CLIENTS, a JSON array. @throws StartError */
export function readOauthClients(text: string | undefined): readonly OauthClient[] {
  if (text === undefined) return [];
  const clients = parsed(text);
  if (!Array.isArray(clients))
    throw startError('OAUTH_CLIENTS must be a JSON array with one object for each tool.');
  const read = clients.map((client: unknown, index) => {
    if (!Check(OauthClient, client)) throw startError(`OAUTH_CLIENTS: tool ${index + 1} is not valid.`);
    return client;
  });
  const ids = read.map(({ client_id }) => client_id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw startError(`OAUTH_CLIENTS has two tools called "${twice}".`);
  return read;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw startError('OAUTH_CLIENTS is not JSON.', error);
  }
}

/** Metadata of RFC 7591 for a public program on the user's device (RFC 8252). */
export function metadataOf({
  scope_list,
  grant_types = ['authorization_code'],
  ...client
}: OauthClient): Record<string, unknown> {
  return {
    ...client,
    scope: [...OPENID_SCOPES, ...scope_list].join(' '),
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: [...grant_types, 'refresh_token'],
    response_types: grant_types.includes('authorization_code') ? ['code'] : [],
    id_token_signed_response_alg: SIGNING_ALGORITHM,
  };
}
