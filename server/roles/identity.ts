import { createIdentity } from '../identity/app.ts';
import { readOauthClients } from '../identity/oauth/clients.ts';
import { loadEncryptor, prepareIdentity } from '../identity/prepare.ts';
import { readMethodSettings, warnOfUnusedSignOut } from '../identity/sign-in/federation/settings.ts';
import { localUrl } from '../runtime/listening.ts';
import type { FirstAdmin } from '../runtime/startup-banner.ts';
import { type AppContext, loadServiceKeys, proxiesOf, serve } from './app-context.ts';
import { openServicePool } from './service-pool.ts';

/** Starts the user service. @returns its address and, on the first start, the administrator */
export async function startIdentity(
  context: AppContext,
  databaseUrl: string,
): Promise<{ address: string; firstAdmin: FirstAdmin | undefined }> {
  const { config } = context;
  const { dataDir, admin, role, host, port, mail, keyRotation } = config;
  const methods = readMethodSettings(config.identityMethods);
  const log = context.log.child({ app: 'identity' });
  warnOfUnusedSignOut(methods, config.deployType, log);
  const pool = openServicePool(context, databaseUrl, 'identity');
  const encryptor = loadEncryptor({ configured: config.identityKeys, dataDir });
  const given = { pool, log, now: Date.now, encryptor, keyRotation };
  const terminal = process.stdout.isTTY === true;
  const { firstAdmin } = await prepareIdentity({ ...given, dataDir, admin, terminal });
  // The public address may not be reachable from this machine.
  const gateway = role === 'all' ? { gatewayUrl: localUrl({ host, port }) } : {};
  const app = await createIdentity({
    ...given,
    serviceKeys: loadServiceKeys(config),
    publicUrl: config.publicUrl,
    methods,
    signUp: config.signUp,
    secondFactor: config.secondFactor,
    deletionDelay: config.deletionDelay,
    oauthClients: readOauthClients(config.oauthClients),
    mail: mail && { ...mail, siteName: config.brand.name },
    ca: config.upstreams.ca,
    registry: context.registry,
    ...gateway,
    ...proxiesOf(config, 'identity'),
  });
  return { address: await serve(context, 'identity', app), firstAdmin };
}
