import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type Provider from 'oidc-provider';
import { startError } from '../../database/errors.ts';
import type { ToolContext } from './connect.ts';
import { serveConnectedTools } from './connected-tools.ts';
import { serveDeviceRequests } from './device-request.ts';
import { serveEndedTools } from './ended-tools.ts';
import { serveEndpoints } from './endpoints.ts';
import { serveToolRequests } from './tool-request.ts';
import { serveTools } from './tools.ts';

/**
 * Tools that act for a user: an OAuth 2.0 and OpenID Connect server on oidc-provider. `clients` are the tools that the operator
 * knows, `tools` those that administrators register; `provider` configures the library, `adapter` is its storage, `endpoints` are
 * what tools call. `tool-request` and `device-request` are what the user is asked, `connect` is what follows if they allow it,
 * `connected-tools` what they let in, and `ended-tools` tells other services which of those have ended.
 */
export async function oauth(app: FastifyInstance): Promise<void> {
  const { identity, log } = app;
  const current = openLibrary(identity, log);
  serveConnectedTools(app);
  serveEndedTools(app);
  serveTools(app, current);
  await checkConfigured(identity, current);
  await app.register((scope) => serveEndpoints(scope, current));
  serveToolRequests(app, current);
  serveDeviceRequests(app, current);
}

/** The library takes 50 MB, so it is loaded when a tool first asks. */
function openLibrary(identity: ToolContext, log: FastifyBaseLogger): () => Promise<Provider> {
  let opened: Promise<() => Promise<Provider>> | undefined;
  const open = async () => (await import('./provider.ts')).createProviders(identity, log);
  return async () => {
    opened ??= open();
    return (await opened)();
  };
}

async function checkConfigured(
  { oauthClients }: ToolContext,
  current: () => Promise<Provider>,
): Promise<void> {
  for (const { client_id } of oauthClients) {
    const { Client } = await current();
    await Client.find(client_id).catch((error: unknown) => {
      throw startError(
        `OAUTH_CLIENTS: the tool "${client_id}" is not valid: ${descriptionOf(error)}.`,
        error,
      );
    });
  }
}

function descriptionOf(error: unknown): string {
  return String(Object(error).error_description ?? error);
}
