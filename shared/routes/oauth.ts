import { type Static, Type } from 'typebox';
import { Nothing, Nullable, Timestamp } from '../entities/base.ts';
import { ClientId, ToolScope } from '../entities/tool.ts';
import { route } from '../route.ts';

const ToolRequest = Type.Object({ uid: Type.String({ pattern: '^[\\w-]{1,64}$' }) });

/** A tool that may act for the user, on one device or several. */
export const ConnectedTool = Type.Object({
  client_id: ClientId,
  client_name: Type.String(),
  /** Home page of the tool. */
  client_uri: Nullable(Type.String()),
  scope_list: Type.Array(ToolScope),
  /** When it was first connected, of what is connected now. */
  connected_at: Timestamp,
  last_active_at: Timestamp,
  /** How many times it is connected: each device once. */
  connections: Type.Integer(),
});
export type ConnectedTool = Static<typeof ConnectedTool>;

/** What a tool asks for. */
const AskedByTool = Type.Object({
  client_name: Type.String(),
  /** Home page of the tool. */
  client_uri: Nullable(Type.String()),
  scope_list: Type.Array(ToolScope),
  /** The tool demands a newer sign-in than that of the session. */
  needs_sign_in: Type.Boolean(),
});
export type AskedByTool = Static<typeof AskedByTool>;

const Decision = Type.Enum(['allow', 'refuse']);
export type Decision = Static<typeof Decision>;

/** As a user types it: in any case, with or without a hyphen. */
const UserCode = Type.String({ minLength: 1, maxLength: 64 });

/**
 * Tools that act for the user, at our own identity service: those connected, and a request of one. The browser that began a
 * request has its cookie.
 */
export const oauthRoutes = {
  listConnectedTools: route({
    service: 'identity',
    method: 'GET',
    path: '/user/tool/list',
    access: 'user',
    ownAccounts: true,
    summary: 'Tools that may act for the user, last used first',
    data: Type.Object({
      tool_list: Type.Array(ConnectedTool),
      /** Whether any tool can ask at this site. */
      is_offered: Type.Boolean(),
    }),
  }),
  disconnectTool: route({
    service: 'identity',
    method: 'POST',
    path: '/user/tool/disconnect',
    access: 'user',
    ownAccounts: true,
    summary: 'End all that a tool may do for the user, on every device',
    body: Type.Object({ client_id: ClientId }),
    data: Nothing,
  }),
  readToolRequest: route({
    service: 'identity',
    method: 'GET',
    path: '/user/tool/request/{uid}',
    access: 'user',
    ownAccounts: true,
    toolRequest: true,
    summary: 'A tool that asks for access, and what it wants to do',
    params: ToolRequest,
    data: AskedByTool,
  }),
  answerToolRequest: route({
    service: 'identity',
    method: 'POST',
    path: '/user/tool/request/{uid}',
    access: 'user',
    ownAccounts: true,
    toolRequest: true,
    summary: 'Allow or refuse what a tool asks for; the browser goes on to `continue_to`',
    params: ToolRequest,
    body: Type.Object({ decision: Decision }),
    data: Type.Object({ continue_to: Type.String() }),
  }),
  readDeviceRequest: route({
    service: 'identity',
    method: 'POST',
    path: '/user/device/read',
    access: 'user',
    ownAccounts: true,
    summary: 'A device that asks for access, by the code that it shows',
    body: Type.Object({ user_code: UserCode }),
    data: AskedByTool,
  }),
  answerDeviceRequest: route({
    service: 'identity',
    method: 'POST',
    path: '/user/device/answer',
    access: 'user',
    ownAccounts: true,
    summary: 'Allow or refuse what a device asks for',
    body: Type.Object({ user_code: UserCode, decision: Decision }),
    data: Nothing,
  }),
};
