import { type Static, Type } from 'typebox';
import { AuditLogEntry } from '../entities/backstage.ts';
import { Cursor, Nullable, Timestamp, Total } from '../entities/base.ts';
import { Proof, typedProof } from '../entities/sign-in.ts';
import { ClientId, toolFields } from '../entities/tool.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

/** A tool, for administrators. */
export const ManagedTool = Type.Object({
  ...toolFields,
  client_uri: Nullable(Type.String()),
  /** Of the setting OAUTH_CLIENTS, so that it cannot be changed here. */
  is_configured: Type.Boolean(),
  /** How many people are connected with it. */
  people: Type.Integer(),
  /** Null if no session of it is known. */
  last_active_at: Nullable(Timestamp),
});
export type ManagedTool = Static<typeof ManagedTool>;

const ToolWrite = Type.Object({ ...toolFields, ...typedProof });

/**
 * Tools that may ask users for access, at our own identity service. Every change requires reauthentication: a stolen session
 * must not send the codes of a known tool elsewhere.
 */
export const toolRoutes = {
  listTools: route({
    service: 'identity',
    method: 'GET',
    path: '/user/tool/client/list',
    access: 'admin',
    ownAccounts: true,
    summary: 'Tools that may ask users for access, with their use',
    data: Type.Object({
      /** How the caller reauthenticates before each change. */
      proof: Proof,
      tool_list: Type.Array(ManagedTool),
    }),
  }),
  listToolChanges: route({
    service: 'identity',
    method: 'GET',
    path: '/user/tool/client/change/list',
    access: 'admin',
    ownAccounts: true,
    summary: 'Changes of tools with their authors, newest first',
    query: Type.Object(paging),
    data: Type.Object({
      ...Total,
      next_cursor: Nullable(Cursor),
      entry_list: Type.Array(AuditLogEntry),
    }),
  }),
  registerTool: route({
    service: 'identity',
    method: 'POST',
    path: '/user/tool/client',
    access: 'admin',
    ownAccounts: true,
    summary: 'Register a tool',
    body: ToolWrite,
    data: ManagedTool,
  }),
  changeTool: route({
    service: 'identity',
    method: 'PUT',
    path: '/user/tool/client',
    access: 'admin',
    ownAccounts: true,
    summary: 'Change a tool; rights that it loses are gone at the next refresh of its tokens',
    body: ToolWrite,
    data: ManagedTool,
  }),
  removeTool: route({
    service: 'identity',
    method: 'POST',
    path: '/user/tool/client/remove',
    access: 'admin',
    ownAccounts: true,
    summary: 'Remove a tool, which disconnects everybody from it',
    body: Type.Object({ client_id: ClientId, ...typedProof }),
    data: Type.Object({
      /** How many people were connected. */
      people: Type.Integer(),
    }),
  }),
};
