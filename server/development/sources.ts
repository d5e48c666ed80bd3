import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createServer, type ViteDevServer } from 'vite';

const CONFIG = fileURLToPath(new URL('../../web/vite.config.ts', import.meta.url));
const SERVICES = ['../../server', '../../shared'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** A source file; editors write others beside them. */
const SOURCE = /(?:^|[\\/])[^.\\/][^\\/]*\.(?:ts|js)$/;

/** Vite with the sources of the web client, and what it adds to a document. */
export type Sources = { vite: ViteDevServer; nonce: string; head: string };

/**
 * Starts Vite for requests to `server`, with Fast Refresh over a WebSocket on the same port.
 * @throws Error if Vite cannot be started
 */
export async function openSources(server: Server, publicUrl: string): Promise<Sources> {
  const nonce = randomBytes(16).toString('base64');
  const vite = await createServer({
    configFile: CONFIG,
    configLoader: 'native',
    html: { cspNonce: nonce },
    server: {
      middlewareMode: true,
      ws: { server },
      cors: false,
      allowedHosts: [new URL(publicUrl).hostname],
    },
  });
  // In a complete document Vite would rewrite URLs.
  const document = await vite.transformIndexHtml('/', '<head></head>');
  return { vite, nonce, head: document.slice('<head>'.length, document.indexOf('</head>')) };
}

/** Calls `changed` with the path of each source of the services that changes. */
export function watchServices({ watcher }: ViteDevServer, changed: (path: string) => void): void {
  watcher.add(SERVICES);
  watcher.on('all', (_event, path) => {
    if (SERVICES.some((folder) => path.startsWith(folder)) && SOURCE.test(path)) changed(path);
  });
}
