import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createBuilder } from 'vite';
import type { ServerEntry } from '../../../shared/boot.ts';

const CONFIG = fileURLToPath(new URL('../../../web/vite.config.ts', import.meta.url));

export type BuiltWeb = { folder: string; entry: ServerEntry };

/** Builds the web client of this checkout like `npm run build`, into its own folder. */
export async function buildWeb(folder: string): Promise<ServerEntry> {
  const into = (name: string) => ({ build: { outDir: join(folder, name) } });
  const builder = await createBuilder({
    configFile: CONFIG,
    environments: { client: into('client'), ssr: into('server') },
  });
  await builder.buildApp();
  const entry: ServerEntry = await import(pathToFileURL(join(folder, 'server/entry-server.js')).href);
  return entry;
}

/** The same in a folder that is removed after the test. */
export async function builtWeb(t: { teardown(action: () => Promise<void>): void }): Promise<BuiltWeb> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-web-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return { folder, entry: await buildWeb(folder) };
}
