import type { FastifyBaseLogger } from 'fastify';
import type Provider from 'oidc-provider';
import type { AskedByTool } from '../../../shared/routes/oauth.ts';
import { TOOL_SCOPES } from '../../../shared/tool-metadata.ts';
import { toolAudience } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { recordSignIn } from '../accounts/store.ts';
import type { IdentityDb } from '../schema.ts';
import { type Caller, findActiveCaller } from '../sessions/caller.ts';
import { startSession } from '../sessions/sessions.ts';
import { findSession, type Session } from '../sessions/store.ts';
import type { SessionContext } from '../sessions/tokens.ts';
import { type OauthClient, SCOPES } from './clients.ts';
import { lockTool } from './tool-store.ts';

/** A tool's request, of a browser or of a device; `iat` in seconds since 1970. */
export type Asked = { params: Record<string, unknown>; iat: number };

const scopesOf = ({ params }: Asked): string[] => String(params.scope ?? '').split(' ');
const scopesOfApi = (asked: Asked) => TOOL_SCOPES.filter((scope) => scopesOf(asked).includes(scope));

type Client = { clientId: string; clientName?: string; clientUri?: string };

/** What the user is shown of a request. */
export function askedBy(
  client: Client,
  asked: Asked,
  { session, now }: { session: Session; now: number },
): AskedByTool {
  return {
    client_name: client.clientName ?? client.clientId,
    client_uri: client.clientUri ?? null,
    scope_list: scopesOfApi(asked),
    needs_sign_in: needsSignIn(asked, session, now),
  };
}

/**
 * Whether the session is older than the tool accepts. Here, because the library counts the user's answer as a sign-in
 * (OpenID Connect Core 1.0 section 3.1.2.1).
 */
export function needsSignIn({ params, iat }: Asked, { authenticated_at }: Session, now: number): boolean {
  const at = authenticated_at?.getTime() ?? 0;
  const { prompt, max_age } = params;
  const prompts = String(prompt ?? '').split(' ');
  if (prompts.includes('login') && at < iat * 1000) return true;
  return max_age !== undefined && now - at > Number(max_age) * 1000;
}

/** What tools use; `oauthClients` are those of the setting. */
export type ToolContext = SessionContext & { oauthClients: readonly OauthClient[] };

type Connecting = {
  clientId: string;
  asked: Asked;
  caller: Caller;
  log: FastifyBaseLogger;
  /** What must happen once, together with the new session. */
  claim?: (db: IdentityDb) => Promise<void>;
};

/** What the tool gets; `authTime` in seconds since 1970. */
type Connection = { grantId: string; accountId: string; authTime: number | undefined; scope: string };

/**
 * Starts the session of a tool. Its grant has the same id, so that one ends with the other.
 * @throws ACCOUNT_DISABLED, TOKEN_INVALID when the user's own session has ended meanwhile, TOOL_REQUEST_INVALID when the tool
 *   was removed, and what `claim` throws
 */
export async function connectTool(
  identity: ToolContext,
  provider: Provider,
  { clientId, asked, caller, log, claim }: Connecting,
): Promise<Connection> {
  const { user, session: own } = caller;
  const client = await provider.Client.find(clientId);
  const ofApi = scopesOfApi(asked);
  const at = new Date(identity.now());
  const session = await identity.db.transaction().execute(async (db) => {
    await claim?.(db);
    // A removal waits, and then ends this session too.
    const isConfigured = identity.oauthClients.some(({ client_id }) => client_id === clientId);
    if (!isConfigured && !(await lockTool(db, clientId, 'share'))) throw appError('TOOL_REQUEST_INVALID');
    // The account stays locked: who signs out everywhere waits, and then ends this session too.
    if (!(await recordSignIn(db, user.user_id, { at, by: at }))) throw appError('ACCOUNT_DISABLED');
    await findActiveCaller({ ...identity, db }, await findSession(db, own.sid));
    return startSession(db, identity, {
      userId: user.user_id,
      method: own.login_method,
      source: own.source,
      authenticatedAt: own.authenticated_at,
      client: { browser: client?.clientName ?? clientId, system: '' },
      limit: { client_id: clientId, scope_list: ofApi },
    });
  });
  const accountId = String(user.user_id);
  const grant = new provider.Grant({ jti: session.sid, accountId, clientId });
  const scope = scopesOf(asked)
    .filter((name) => SCOPES.includes(name))
    .join(' ');
  grant.addOIDCScope(scope);
  if (ofApi.length > 0) grant.addResourceScope(toolAudience(identity.publicUrl), ofApi.join(' '));
  await grant.save();
  log.info({ user_id: user.user_id, client_id: clientId, sid: session.sid }, 'tool connected');
  const authTime = own.authenticated_at ? Math.floor(own.authenticated_at.getTime() / 1000) : undefined;
  return { grantId: session.sid, accountId, authTime, scope };
}
