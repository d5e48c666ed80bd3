import type { FastifyInstance } from 'fastify';
import { collectionsRoutes } from './collections/routes.ts';
import { createDownloadCounter, writeRegularly } from './downloads/downloads.ts';
import { followsRoutes } from './follows/routes.ts';
import { installedRoutes } from './installed/routes.ts';
import { updateAgeRoutes } from './installed/update-age.ts';
import { interactionsRoutes } from './interactions/routes.ts';
import { kitsRoutes } from './kits/routes.ts';
import { digestRegularly } from './packages/digests.ts';
import { openReleases } from './packages/releases.ts';
import { packageRoutes } from './packages/routes.ts';
import { stateRoutes } from './state/state.ts';

/**
 * What a person does with plugins. `interactions` are likes and installs, many at once in one statement; `follows` are what
 * they want news of, `collections` what they have put together; `installed` are a person's lists, default installs and how
 * old updates must be; `kits` are default installs for a group; `packages` are what they download, and its digests; `downloads` count that; `state` is all of it at once, for design tools.
 */
export async function use(app: FastifyInstance): Promise<void> {
  const releases = openReleases(app.files);
  app.addHook('onClose', () => releases.close());
  const downloads = createDownloadCounter({ key: app.community.key });
  interactionsRoutes(app);
  followsRoutes(app);
  collectionsRoutes(app);
  installedRoutes(app, { releases, downloads });
  kitsRoutes(app);
  updateAgeRoutes(app);
  stateRoutes(app);
  packageRoutes(app, { releases, downloads });
  digestRegularly(app, releases);
  writeRegularly(app, downloads);
}
