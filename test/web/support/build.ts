import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerEntry } from '../../../shared/boot.ts';
import { buildWeb } from '../../../web/build/build.ts';

export type BuiltWeb = { folder: string; report: string; entry: ServerEntry };

/** Builds the web client of this checkout into a folder of its own, removed after the test. */
export async function builtWeb(t: { teardown(action: () => Promise<void>): void }): Promise<BuiltWeb> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-web-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const report = await buildWeb(folder);
  const entry: ServerEntry = await import(pathToFileURL(join(folder, 'server/entry-server.js')).href);
  return { folder, report, entry };
}
