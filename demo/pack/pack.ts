/** `npm run demo:pack`: publishes the demo on an empty site, and writes it as the bundle that a first start imports. */
import { createPrivateKey, hash } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@plugin-square/embedded-postgres';
import { withPool } from '../../server/commands/database.ts';
import { exportBundle } from '../../server/community/bundle/export-bundle.ts';
import { DEMO } from '../../server/community/bundle/import-site.ts';
import { openFolderStore } from '../../server/community/files/media/files.ts';
import { COMMUNITY_SCHEMA } from '../../server/community/migrations.ts';
import { prepareCommunity } from '../../server/community/prepare.ts';
import type { CommunityTables } from '../../server/community/schema.ts';
import { openKysely, openPool } from '../../server/database/pool.ts';
import { createLog } from '../../server/http/log.ts';
import { loadCatalogue } from '../catalogue.ts';
import { publishDemo } from './publish.ts';
import { siteOf } from './site.ts';

/**
 * No secret: the bundle is part of the release and as trustworthy as the code around it. Made from a text, so that the
 * same demo has the same signature.
 */
const signingKey = createPrivateKey({
  key: Buffer.from(`302e020100300506032b657004220420${hash('sha256', 'plugin-square demo')}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
});

const say = (line: string) => void process.stdout.write(`${line}\n`);
const log = createLog({ level: 'warn', version: 'demo', destination: process.stderr });
const dataDir = await mkdtemp(join(tmpdir(), 'demo-pack-'));
const server = await startEmbeddedPostgres({ dataDir, log });
try {
  const pool = openPool(server.url, { applicationName: 'demo', schema: COMMUNITY_SCHEMA, log });
  await withPool(pool, async () => {
    await prepareCommunity({ pool, log });
    const db = openKysely<CommunityTables>(pool);
    const files = openFolderStore(dataDir);
    const catalogue = loadCatalogue();
    await publishDemo(catalogue, { db, files, folder: dataDir });
    const site = await siteOf(catalogue, { db, files });
    await rm(DEMO.file, { force: true });
    const options = { db, files, signingKey, file: DEMO.file, plugins: 'all', site, tell: say } as const;
    const done = await exportBundle(options);
    // Archives are readable by their owner only; this one is a source file.
    await chmod(DEMO.file, 0o644);
    say(`${DEMO.file}: ${done.plugins} plugins in ${done.versions} versions, ${done.files} files.`);
    say(`Its public key: ${done.publicKey}`);
  });
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
