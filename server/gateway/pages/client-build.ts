import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { ServerEntry } from '../../../shared/boot.ts';
import { BASE_PATH } from '../../../shared/constants.ts';
import type { Pages } from '../options.ts';

/** Loads the built web client from `distDir` (`web/dist`). @throws Error if there is no valid build */
export async function loadPages(distDir: string | URL): Promise<Pages> {
  const folder = typeof distDir === 'string' ? distDir : fileURLToPath(distDir);
  const file = join(folder, 'server', 'entry-server.js');
  const entry = serverEntryOf(await import(pathToFileURL(file).href), file);
  return { entry, clientDir: join(folder, 'client') };
}

/** @throws Error if the module is not a server entry */
export function serverEntryOf(module: object, name: string): ServerEntry {
  if (!isServerEntry(module)) throw new Error(`${name} is not a server entry of the web client`);
  return module;
}

function isServerEntry(module: object): module is ServerEntry {
  return 'target' in module && 'render' in module && 'inlineHashes' in module;
}

/** Icons that browsers request at the root of a site; a brand has its own. */
const ROOT_FILES: ReadonlySet<string> = new Set(['apple-touch-icon.png', 'favicon.ico']);

/** Names of files of the build that are for browsers. */
const PUBLIC = /^[\w-][\w.-]*(?<!\.(?:html|br|gz|map))$/;

/**
 * Serves the web client's files: hashed assets pre-compressed and immutable, other public files with a lifetime of one
 * hour. A missing file is 404, never a page (R 10.12).
 */
export async function publicFiles(
  app: FastifyInstance,
  { clientDir }: Pick<Pages, 'clientDir'>,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(clientDir, 'assets'),
    // Its own route lists the whole folder at each request, to see how a name is spelled.
    serve: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    index: false,
    suppressWarning: true,
  });
  app.get<{ Params: { '*': string } }>(`${BASE_PATH}assets/*`, ({ params: { '*': name } }, reply) =>
    PUBLIC.test(name) ? reply.sendFile(name) : reply.callNotFound(),
  );
  const entries = await readdir(clientDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  for (const name of names.filter((name) => PUBLIC.test(name))) {
    const paths = ROOT_FILES.has(name) ? [`/${name}`, BASE_PATH + name] : [BASE_PATH + name];
    for (const path of paths) {
      app.get(path, (_request, reply) =>
        ROOT_FILES.has(name) && app.brand?.logo !== undefined
          ? reply.redirect(app.brand.logo, 302)
          : reply.sendFile(name, clientDir, { maxAge: '1h', immutable: false }),
      );
    }
  }
}
