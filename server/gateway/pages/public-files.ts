import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { BASE_PATH } from '../../../shared/constants.ts';

/** Files that browsers look for at the root of a site. */
const ROOT_FILES: ReadonlySet<string> = new Set(['favicon.ico']);

/**
 * Serves the web client's files: hashed assets for ever and in the encoding the build has made, other public files for
 * an hour. What is not there is 404, never a page.
 */
export async function registerPublicFiles(app: FastifyInstance, clientDir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(clientDir, 'assets'),
    prefix: `${BASE_PATH}assets/`,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    index: false,
    redirect: false,
    dotfiles: 'ignore',
    suppressWarning: true,
    /** A folder asked for by name makes the library fail; there is nothing to list anyway. */
    allowedPath: (path) => !path.endsWith('/'),
  });
  for (const name of await publicFiles(clientDir)) {
    const paths = ROOT_FILES.has(name) ? [`/${name}`, BASE_PATH + name] : [BASE_PATH + name];
    for (const path of paths) {
      app.get(path, (_request, reply) => reply.sendFile(name, clientDir, { maxAge: '1h', immutable: false }));
    }
  }
}

async function publicFiles(clientDir: string): Promise<string[]> {
  const entries = await readdir(clientDir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /^[a-z0-9][\w.-]*$/i.test(entry.name))
    .map((entry) => entry.name)
    .filter((name) => !/\.(?:html|br|gz|map)$/.test(name));
}
