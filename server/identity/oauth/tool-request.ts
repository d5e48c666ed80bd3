import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { errors, type Interaction } from 'oidc-provider';
import { TOOL_SCOPES } from '../../../shared/entities/tool.ts';
import { oauthRoutes } from '../../../shared/routes/oauth.ts';
import { toolAudience } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { recordSignIn } from '../accounts/store.ts';
import { type Caller, callerOf, findActiveCaller } from '../sessions/caller.ts';
import { startSession } from '../sessions/sessions.ts';
import { findSession, type Session } from '../sessions/store.ts';
import type { SessionContext } from '../sessions/tokens.ts';
import { SCOPES } from './provider.ts';

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** What a tool asks for, and the user's answer. The site's session says who answers. */
export function serveToolRequests(app: FastifyInstance, current: () => Promise<Provider>): void {
  const { identity } = app;

  implement(app, oauthRoutes.readToolRequest, async ({ params, request, reply }) => {
    const provider = await current();
    const interaction = await findInteraction(provider, params.uid, { request, reply });
    const client = await provider.Client.find(String(interaction.params.client_id));
    if (!client) throw appError('TOOL_REQUEST_INVALID');
    return {
      client_name: client.clientName ?? client.clientId,
      client_uri: client.clientUri ?? null,
      scope_list: TOOL_SCOPES.filter((scope) => scopesOf(interaction).includes(scope)),
      needs_sign_in: needsSignIn(interaction, callerOf(request).session, identity.now()),
    };
  });

  implement(app, oauthRoutes.answerToolRequest, async ({ params, body, request, reply }) => {
    const provider = await current();
    const interaction = await findInteraction(provider, params.uid, { request, reply });
    // A second click: the tool already has its session.
    if (interaction.result !== undefined) return { continue_to: interaction.returnTo };
    const caller = callerOf(request);
    if (body.decision === 'allow' && needsSignIn(interaction, caller.session, identity.now()))
      throw appError('REAUTHENTICATION_REQUIRED');
    const result =
      body.decision === 'allow'
        ? await allow(identity, provider, { interaction, caller, request })
        : { error: 'access_denied', error_description: 'the user refused' };
    const options = { mergeWithLastSubmission: false };
    return { continue_to: await provider.interactionResult(request.raw, reply.raw, result, options) };
  });
}

/** @throws TOOL_REQUEST_INVALID when the browser has not begun it, or it is too old */
async function findInteraction(
  provider: Provider,
  uid: string,
  { request, reply }: Exchange,
): Promise<Interaction> {
  const found = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  });
  if (found?.uid !== uid) throw appError('TOOL_REQUEST_INVALID');
  return found;
}

const scopesOf = ({ params }: Interaction): string[] => String(params.scope ?? '').split(' ');

/**
 * Whether the session is older than the tool accepts. Here, because the library counts the user's answer as a sign-in
 * (OpenID Connect Core 1.0 section 3.1.2.1).
 */
function needsSignIn({ params, iat }: Interaction, { authenticated_at }: Session, now: number): boolean {
  const at = authenticated_at?.getTime() ?? 0;
  const { prompt, max_age } = params;
  if (
    String(prompt ?? '')
      .split(' ')
      .includes('login') &&
    at < iat * 1000
  )
    return true;
  return max_age !== undefined && now - at > Number(max_age) * 1000;
}

/** Starts the session of the tool. Its grant has the same id, so that one ends with the other. */
async function allow(
  identity: SessionContext,
  provider: Provider,
  { interaction, caller, request }: { interaction: Interaction; caller: Caller; request: FastifyRequest },
): Promise<Record<string, unknown>> {
  const { user, session: own } = caller;
  const clientId = String(interaction.params.client_id);
  const client = await provider.Client.find(clientId);
  const asked = scopesOf(interaction);
  const ofApi = TOOL_SCOPES.filter((scope) => asked.includes(scope));
  const at = new Date(identity.now());
  const session = await identity.db.transaction().execute(async (db) => {
    // The account stays locked: who signs out everywhere waits, and then ends this session too.
    if (!(await recordSignIn(db, user.user_id, { at, by: at }))) throw appError('ACCOUNT_DISABLED');
    await findActiveCaller({ ...identity, db }, await findSession(db, own.sid));
    return startSession(db, identity, {
      userId: user.user_id,
      method: own.login_method,
      source: own.source,
      authenticatedAt: own.authenticated_at,
      client: { browser: client?.clientName ?? clientId, system: '' },
      tool: { client_id: clientId, scope_list: ofApi },
    });
  });
  const accountId = String(user.user_id);
  const grant = new provider.Grant({ jti: session.sid, accountId, clientId });
  grant.addOIDCScope(asked.filter((scope) => SCOPES.includes(scope)).join(' '));
  if (ofApi.length > 0) grant.addResourceScope(toolAudience(identity.publicUrl), ofApi.join(' '));
  await grant.save();
  request.log.info({ user_id: user.user_id, client_id: clientId, sid: session.sid }, 'tool connected');
  const ts = own.authenticated_at && Math.floor(own.authenticated_at.getTime() / 1000);
  return {
    login: { accountId, remember: false, ...(ts !== null && { ts }) },
    consent: { grantId: session.sid },
  };
}
