import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildIfStale } from '../../../server/launch/build.js';
import type { ServerEntry } from '../../../shared/boot.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const DIST = join(ROOT, 'web', 'dist');

export type BuiltWeb = { folder: string; entry: ServerEntry };

/** The web client of this checkout as `npm start` has built it; built here only if its sources have changed since. */
export async function builtWeb(): Promise<BuiltWeb> {
  await buildIfStale(ROOT);
  const entry: ServerEntry = await import(pathToFileURL(join(DIST, 'server/entry-server.js')).href);
  return { folder: DIST, entry };
}
