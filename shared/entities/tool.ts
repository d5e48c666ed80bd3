import { type Static, Type } from 'typebox';
import {
  CLIENT_ID,
  CLIENT_URI,
  REDIRECT_ADDRESSES_MAX,
  TOOL_GRANTS,
  TOOL_NAME_MAX,
  TOOL_SCOPES,
} from '../tool-metadata.ts';
import { VISIBLE } from '../visible-text.ts';

export const ToolScope = Type.Enum([...TOOL_SCOPES]);
export type ToolScope = Static<typeof ToolScope>;

const ToolGrant = Type.Enum([...TOOL_GRANTS]);
export type ToolGrant = Static<typeof ToolGrant>;

export const ClientId = Type.String({ pattern: CLIENT_ID });

/** A tool, with the names of RFC 7591. It is public: a program on the user's device can keep no secret. */
export const toolFields = {
  client_id: ClientId,
  /** Users read it. */
  client_name: Type.String({ minLength: 1, maxLength: TOOL_NAME_MAX, pattern: VISIBLE }),
  client_uri: Type.Optional(Type.String({ pattern: CLIENT_URI, maxLength: 2048 })),
  /** `http://127.0.0.1/…` matches any port; https and private-use schemes are possible too (RFC 8252 section 7). */
  redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
    maxItems: REDIRECT_ADDRESSES_MAX,
  }),
  /** How it connects. */
  grant_types: Type.Array(ToolGrant, { minItems: 1, uniqueItems: true }),
  /** All that it may ask for. */
  scope_list: Type.Array(ToolScope, { minItems: 1, uniqueItems: true }),
};
