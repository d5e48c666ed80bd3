import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ServerEntry } from '../../../shared/boot.ts';
import type { Pages } from '../options.ts';

/**
 * The built web client in `distDir` (`web/dist`): its server entry and its public folder.
 * @throws Error when there is no build, or one that does not fit.
 */
export async function loadPages(distDir: string | URL): Promise<Pages> {
  const folder = typeof distDir === 'string' ? distDir : fileURLToPath(distDir);
  const file = join(folder, 'server', 'entry-server.js');
  const entry: unknown = await import(pathToFileURL(file).href);
  if (!isServerEntry(entry)) throw new Error(`${file} is no server build of the web client`);
  return { entry, clientDir: join(folder, 'client') };
}

function isServerEntry(entry: unknown): entry is ServerEntry {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'target' in entry &&
    typeof entry.target === 'function' &&
    'needs' in entry &&
    typeof entry.needs === 'function' &&
    'render' in entry &&
    typeof entry.render === 'function' &&
    'inlineHashes' in entry
  );
}
