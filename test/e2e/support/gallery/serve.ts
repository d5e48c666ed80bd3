import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { loadConfig } from '../../../../server/config.ts';
import { pageHeaders } from '../../../../server/gateway/security-headers.ts';
import { portOf } from '../../../support/port.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const ENTRY = fileURLToPath(new URL('gallery.tsx', import.meta.url));
const TYPES: readonly [ending: string, type: string][] = [
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
];

const POLICY = pageHeaders(loadConfig({}), { script: [], style: [] });

type Files = ReadonlyMap<string, string | Uint8Array>;

/** Serves the widgets, each on its own page (`/dialog`), with the policy of the product's pages. */
export async function serveGallery(t: { teardown(action: () => Promise<void>): unknown }): Promise<string> {
  const files = await builtFiles();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://gallery').pathname;
    const file = files.get(path);
    const type = TYPES.find(([ending]) => path.endsWith(ending))?.[1];
    if (file !== undefined && type) {
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(file);
    } else if (path.includes('.')) {
      response.writeHead(204).end();
    } else {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...POLICY });
      response.end(document(files));
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return `http://127.0.0.1:${portOf(server)}`;
}

async function builtFiles(): Promise<Files> {
  const made = await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [react()],
    build: {
      write: false,
      reportCompressedSize: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: ENTRY },
    },
  });
  const output = Array.isArray(made)
    ? made.flatMap((one) => one.output)
    : 'output' in made
      ? made.output
      : [];
  return new Map(
    output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source] as const),
  );
}

function document(files: Files): string {
  const names = [...files.keys()];
  const styles = names
    .filter((name) => name.endsWith('.css'))
    .map((name) => `<link rel="stylesheet" href="${name}">`)
    .join('');
  const script = names.find((name) => /\/gallery-[^/]+\.js$/.test(name));
  return `<!doctype html><html lang="en-US"><head><meta charset="utf-8"><title>Gallery</title><meta name="viewport" content="width=device-width">${styles}</head><body><main id="root"></main><script type="module" src="${script}"></script></body></html>`;
}
