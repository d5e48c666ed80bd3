import { Type } from 'typebox';
import { Nullable } from '../entities/base.ts';
import { ToolScope } from '../entities/tool.ts';
import { route } from '../route.ts';

const ToolRequest = Type.Object({ uid: Type.String({ pattern: '^[\\w-]{1,64}$' }) });

/** A tool's request to act for the user, at our own identity service. The browser that began it has its cookie. */
export const oauthRoutes = {
  readToolRequest: route({
    service: 'identity',
    method: 'GET',
    path: '/user/tool/request/{uid}',
    access: 'user',
    ownAccounts: true,
    toolRequest: true,
    summary: 'A tool that asks for access, and what it wants to do',
    params: ToolRequest,
    data: Type.Object({
      client_name: Type.String(),
      /** Home page of the tool. */
      client_uri: Nullable(Type.String()),
      scope_list: Type.Array(ToolScope),
      /** The tool demands a newer sign-in than that of the session. */
      needs_sign_in: Type.Boolean(),
    }),
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
    body: Type.Object({ decision: Type.Enum(['allow', 'refuse']) }),
    data: Type.Object({ continue_to: Type.String() }),
  }),
};
