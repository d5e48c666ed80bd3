import { type Static, Type } from 'typebox';

/** What a tool may do for a user: scopes of its access tokens (RFC 6749 section 3.3). */
export const TOOL_SCOPES = ['plugins:read', 'plugins:install', 'plugins:publish'] as const;
export const ToolScope = Type.Enum([...TOOL_SCOPES]);
export type ToolScope = Static<typeof ToolScope>;
