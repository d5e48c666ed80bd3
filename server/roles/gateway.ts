import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { createGateway } from '../gateway/app.ts';
import type { GatewayOptions } from '../gateway/options.ts';
import { loadPages } from '../gateway/pages/client-build.ts';
import { loadSessionKeys } from '../gateway/session/cookie.ts';
import { hasLocalAccounts } from '../gateway/sign-in/login-params.ts';
import { clientAuthorization, serviceAuthorization } from '../http/service-credential.ts';
import type { Addresses } from '../workers/worker.ts';
import { type AppContext, loadServiceKeys, reportDegraded, reportTags, runs, serve } from './app-context.ts';

const WEB_BUILD = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** Serves the gateway in this process. */
export async function serveGateway(context: AppContext, { community, identity }: Addresses): Promise<void> {
  const { config, registry } = context;
  const app = await createGateway({
    config,
    upstreams: { community, identity, helpcenter: config.upstreams.helpcenter ?? community },
    credentials: gatewayCredentials(config),
    keys: await loadSessionKeys({ configured: config.session.keys, dataDir: config.dataDir }),
    dataDir: config.dataDir,
    log: context.log.child({ app: 'gateway' }),
    now: Date.now,
    pages: context.development?.pages ?? (await loadPages(WEB_BUILD)),
    registry,
    // The community service in this process reports it itself.
    onDegraded: reportDegraded(context),
    onTags: config.upstreams.community === undefined ? undefined : reportTags(context),
  });
  await serve(context, 'gateway', app);
}

/**
 * The gateway's credentials at its services: at those in this program always; at an address of the settings only if
 * SERVICE_KEYS or USER_SERVICE_CLIENT_ID says so, because it may be of another make.
 */
export function gatewayCredentials(config: Config): NonNullable<GatewayOptions['credentials']> {
  const { serviceKeys, serviceKeysFor, upstreams, userServiceClient: client } = config;
  const isHere = runs(config, 'community') || runs(config, 'identity');
  const [key] = isHere ? loadServiceKeys(config) : serviceKeys;
  const isOurs = (name: 'community' | 'helpcenter' | 'identity', isRunHere: boolean): boolean =>
    isRunHere || (serviceKeys.length > 0 && serviceKeysFor.includes(name));
  const community = key && serviceAuthorization(key, { from: 'gateway', to: 'community' });
  const identity = key && serviceAuthorization(key, { from: 'gateway', to: 'identity' });
  const isCommunityOurs = isOurs('community', runs(config, 'community'));
  const isHelpcenterOurs = upstreams.helpcenter === undefined ? isCommunityOurs : isOurs('helpcenter', false);
  const isIdentityOurs = hasLocalAccounts(config) && isOurs('identity', runs(config, 'identity'));
  const atIdentity =
    client.id !== undefined && client.secret !== undefined
      ? clientAuthorization(client.id, client.secret)
      : isIdentityOurs
        ? identity
        : undefined;
  return {
    ...(community !== undefined && isCommunityOurs && { community }),
    ...(community !== undefined && isHelpcenterOurs && { helpcenter: community }),
    ...(atIdentity !== undefined && { identity: atIdentity }),
  };
}
