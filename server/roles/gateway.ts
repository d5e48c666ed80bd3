import { fileURLToPath } from 'node:url';
import { createGateway } from '../gateway/app.ts';
import { loadPages } from '../gateway/pages/client-build.ts';
import { loadSessionKeys } from '../gateway/session/cookie.ts';
import type { Addresses } from '../workers/worker.ts';
import { type AppContext, reportDegraded, reportTags, serve } from './app-context.ts';

const WEB_BUILD = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** Serves the gateway in this process. */
export async function serveGateway(context: AppContext, { community, identity }: Addresses): Promise<void> {
  const { config, registry } = context;
  const app = await createGateway({
    config,
    upstreams: { community, identity, helpcenter: config.upstreams.helpcenter ?? community },
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
