import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type { Interaction } from 'oidc-provider';
import { oauthRoutes } from '../../../shared/routes/oauth.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { type Caller, callerOf } from '../sessions/caller.ts';
import { askedBy, connectTool, needsSignIn, type ToolContext } from './connect.ts';

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** What a tool asks for, and the user's answer. The site's session says who answers. */
export function serveToolRequests(app: FastifyInstance, current: () => Promise<Provider>): void {
  const { identity } = app;

  implement(app, oauthRoutes.readToolRequest, async ({ params, request, reply }) => {
    const provider = await current();
    const interaction = await findInteraction(provider, params.uid, { request, reply });
    const client = await provider.Client.find(String(interaction.params.client_id));
    if (!client) throw appError('TOOL_REQUEST_INVALID');
    return askedBy(client, interaction, { session: callerOf(request).session, now: identity.now() });
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
  const { errors } = await import('oidc-provider');
  const found = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  });
  if (found?.uid !== uid) throw appError('TOOL_REQUEST_INVALID');
  return found;
}

async function allow(
  identity: ToolContext,
  provider: Provider,
  { interaction, caller, request }: { interaction: Interaction; caller: Caller; request: FastifyRequest },
): Promise<Record<string, unknown>> {
  const { grantId, accountId, authTime } = await connectTool(identity, provider, {
    clientId: String(interaction.params.client_id),
    asked: interaction,
    caller,
    log: request.log,
  });
  return {
    login: { accountId, remember: false, ...(authTime !== undefined && { ts: authTime }) },
    consent: { grantId },
  };
}
