import { fileURLToPath } from 'node:url';
import { createGateway } from '../gateway/app.ts';
import { loadPages } from '../gateway/pages/client-build.ts';
import { loadSessionKeys } from '../gateway/session/cookie.ts';
import type { Addresses } from '../workers/messages.ts';
import { noteTags, type Stage, serve } from './stage.ts';

const WEB_BUILD = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** Serves the gateway in this process. */
export async function serveGateway(stage: Stage, { community, identity }: Addresses): Promise<void> {
  const { config, registry } = stage;
  const app = await createGateway({
    config,
    upstreams: { community, identity, helpcenter: config.upstreams.helpcenter ?? community },
    keys: await loadSessionKeys({ configured: config.session.keys, dataDir: config.dataDir }),
    dataDir: config.dataDir,
    log: stage.log.child({ app: 'gateway' }),
    now: Date.now,
    pages: (await stage.sources) ?? (await loadPages(WEB_BUILD)),
    registry,
    // Of our own community service in this program the launcher knows it at first hand.
    onTags: config.upstreams.community === undefined ? undefined : noteTags(stage),
  });
  await serve(stage, 'gateway', app);
}
