import type { FastifyInstance } from 'fastify';
import { startError } from '../../database/errors.ts';
import { serveConnectedTools } from './connected-tools.ts';

/**
 * Tools that act for a user: an OAuth 2.0 and OpenID Connect server on oidc-provider. `clients` are the tools that the
 * operator knows, `provider` configures the library, `adapter` is its storage, `endpoints` are what tools call, and
 * `tool-request` and `device-request` are what the user is asked, `connect` is what follows if they allow it, and `connected-tools` what they let in. Without tools there is an empty list of
 * those and nothing else, and the library is not loaded.
 */
export async function oauth(app: FastifyInstance): Promise<void> {
  const { identity, log } = app;
  const clients = identity.oauthClients;
  serveConnectedTools(app);
  if (clients.length === 0) return;
  const { createProviders } = await import('./provider.ts');
  const { serveEndpoints } = await import('./endpoints.ts');
  const { serveToolRequests } = await import('./tool-request.ts');
  const { serveDeviceRequests } = await import('./device-request.ts');
  const current = createProviders(identity, clients, log);
  const { Client } = await current();
  for (const { client_id } of clients)
    await Client.find(client_id).catch((error: unknown) => {
      throw startError(
        `OAUTH_CLIENTS: the tool "${client_id}" is not valid: ${descriptionOf(error)}.`,
        error,
      );
    });
  await app.register((scope) => serveEndpoints(scope, current));
  serveToolRequests(app, current);
  serveDeviceRequests(app, current);
}

function descriptionOf(error: unknown): string {
  return String(Object(error).error_description ?? error);
}
