import type { FastifyInstance } from 'fastify';
import { type ConnectedTool, oauthRoutes } from '../../../shared/routes/oauth.ts';
import { TOOL_SCOPES } from '../../../shared/tool-metadata.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../sessions/caller.ts';
import { readSessionsOf, revokeSessionsOfTool, type Session } from '../sessions/store.ts';
import type { OauthClient } from './clients.ts';
import { readTools } from './tool-store.ts';

/** The tools that a user has let in. Each connection is a session; users see one line a tool. */
export function serveConnectedTools(app: FastifyInstance): void {
  const { identity } = app;

  implement(app, oauthRoutes.listConnectedTools, async ({ request }) => {
    const { user } = callerOf(request);
    const sessions = await readSessionsOf(identity.db, user.user_id, {
      at: new Date(identity.now()),
      kind: 'tool',
    });
    const known: readonly KnownTool[] = [...identity.oauthClients, ...(await readTools(identity.db))];
    return {
      tool_list: [...Map.groupBy(sessions, ({ client_id }) => client_id ?? '')].map(([clientId, ofTool]) =>
        connectedTool(clientId, ofTool, known),
      ),
      is_offered: known.length > 0,
    };
  });

  implement(app, oauthRoutes.disconnectTool, async ({ body, request }) => {
    const { user_id } = callerOf(request).user;
    const { client_id } = body;
    const at = new Date(identity.now());
    const sids = await revokeSessionsOfTool(identity.db, { userId: user_id, clientId: client_id, at });
    request.log.info(
      { user_id, client_id, ended: sids.length, action: 'tool.disconnect' },
      'account changed',
    );
    return {};
  });
}

type KnownTool = Pick<OauthClient, 'client_id' | 'client_name' | 'scope_list'> & {
  client_uri?: string | null | undefined;
};

/** `sessions`: last active first. A tool that the operator has removed keeps the name that it had. */
function connectedTool(
  client_id: string,
  sessions: readonly Session[],
  tools: readonly KnownTool[],
): ConnectedTool {
  const client = tools.find((known) => known.client_id === client_id);
  const allowed = new Set(sessions.flatMap(({ scope_list }) => scope_list ?? []));
  const times = (key: 'created_at' | 'last_active_at') => sessions.map((session) => session[key].getTime());
  return {
    client_id,
    client_name: client?.client_name ?? sessions[0]?.browser ?? client_id,
    client_uri: client?.client_uri ?? null,
    scope_list: (client?.scope_list ?? TOOL_SCOPES).filter((scope) => allowed.has(scope)),
    connected_at: new Date(Math.min(...times('created_at'))).toISOString(),
    last_active_at: new Date(Math.max(...times('last_active_at'))).toISOString(),
    connections: sessions.length,
  };
}
