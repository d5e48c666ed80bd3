import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { ToolScope } from '../../../shared/entities/tool.ts';
import { ClientId } from '../../../shared/routes/oauth.ts';
import { VISIBLE } from '../../../shared/visible-text.ts';
import { startError } from '../../database/errors.ts';

/** For a device without a browser of its own (RFC 8628). */
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** A tool, with the names of RFC 7591. It is public: a program on the user's device can keep no secret. */
const OauthClient = Type.Object(
  {
    client_id: ClientId,
    /** Users read it. */
    client_name: Type.String({ minLength: 1, maxLength: 60, pattern: VISIBLE }),
    client_uri: Type.Optional(Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048 })),
    /** `http://127.0.0.1/…` matches any port; https and private-use schemes are possible too (RFC 8252 section 7). */
    redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), { minItems: 1, maxItems: 20 }),
    /** How it connects; by default with a code that comes back to it. */
    grant_types: Type.Optional(
      Type.Array(Type.Enum(['authorization_code', DEVICE_CODE_GRANT]), { minItems: 1, uniqueItems: true }),
    ),
    /** All that it may ask for. */
    scope_list: Type.Array(ToolScope, { minItems: 1, uniqueItems: true }),
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
