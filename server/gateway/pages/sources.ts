import { randomBytes } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { createServer, type ViteDevServer } from 'vite';
import { BASE_PATH } from '../../../shared/constants.ts';
import type { Pages } from '../options.ts';
import { serverEntryOf } from './client-build.ts';

const CONFIG = fileURLToPath(new URL('../../../web/vite.config.ts', import.meta.url));
const ENTRY = '/entry-server.tsx';

/** Values of Sec-Fetch-Dest for a page. */
const DOCUMENTS: ReadonlySet<unknown> = new Set(['document', 'iframe', 'frame']);

/**
 * The web client from its sources (`npm run dev`): Vite serves them, with Fast Refresh over a WebSocket on the same
 * port, and each page is rendered from the current sources.
 * @throws Error if Vite cannot be started, or if the sources have no server entry
 */
export async function sourcePages({ publicUrl }: { publicUrl: string }): Promise<Pages> {
  const nonce = randomBytes(16).toString('base64');
  // A placeholder for the gateway's server, which does not exist yet.
  const upgrades = createHttpServer();
  const vite = await createServer({
    configFile: CONFIG,
    configLoader: 'native',
    html: { cspNonce: nonce },
    server: {
      middlewareMode: true,
      ws: { server: upgrades },
      cors: false,
      allowedHosts: [new URL(publicUrl).hostname],
    },
  });
  const load = async () => serverEntryOf(await vite.ssrLoadModule(ENTRY), ENTRY);
  let entry = await load();
  const source = `'nonce-${nonce}'`;
  return {
    entry: {
      target: (url) => entry.target(url),
      async render(url, boot, fetchQuery) {
        entry = await load();
        const { status, html } = await entry.render(url, boot, fetchQuery);
        // In a complete document Vite would rewrite URLs.
        const head = await vite.transformIndexHtml(url, '<head></head>');
        return { status, html: html.replace('<head>', () => head.slice(0, head.indexOf('</head>'))) };
      },
      inlineHashes: { style: [source], script: [source] },
    },
    clientDir: vite.config.publicDir,
    serveSources(app) {
      app.server.on('upgrade', (...upgrade) => upgrades.emit('upgrade', ...upgrade));
      app.addHook('preClose', () => vite.close());
      addSources(app, vite);
    },
  };
}

function addSources(app: FastifyInstance, vite: ViteDevServer): void {
  app.addHook('onRequest', async (request, reply) => {
    const { url = '/' } = request.raw;
    if (!url.startsWith(BASE_PATH) || DOCUMENTS.has(request.headers['sec-fetch-dest'])) return;
    const isServed = await new Promise<boolean>((resolve) => {
      reply.raw.once('close', () => resolve(true));
      vite.middlewares(request.raw, reply.raw, () => resolve(false));
    });
    // Vite removes the base path.
    request.raw.url = url;
    if (isServed) reply.hijack();
  });
}
