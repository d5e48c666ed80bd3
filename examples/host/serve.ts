import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { frameResponse } from '../../packages/sandbox/frame-response.ts';

const pathOf = (folder: string): string => realpathSync(fileURLToPath(new URL(folder, import.meta.url)));

export type Ports = { host: number; frames: number };

/** Addresses of the page and of the frames: other sites, so that a browser gives plugins a process of their own. */
export const addressesOf = ({ host, frames }: Ports) => ({
  host: `http://127.0.0.1:${host}`,
  frames: `http://frames.localhost:${frames}`,
});

/** The settings that a site needs for this tool. */
export function siteSettings(
  ports: Ports,
): Record<'OAUTH_CLIENTS' | 'CLIENT_ORIGINS' | 'FRAME_ANCESTORS', string> {
  const { host } = addressesOf(ports);
  const client = {
    client_id: 'canvas',
    client_name: 'Canvas',
    redirect_uris: [`${host}/`],
    scope_list: ['plugins:read', 'plugins:install'],
  };
  return { OAUTH_CLIENTS: JSON.stringify([client]), CLIENT_ORIGINS: host, FRAME_ANCESTORS: `'self' ${host}` };
}

/** Serves the tool and its frames. @param site address of the store @returns ends it */
export async function serveHost(site: string, ports: Ports): Promise<() => Promise<void>> {
  const { host, frames } = addressesOf(ports);
  const vite = await createServer({
    configFile: false,
    root: pathOf('.'),
    define: {
      'import.meta.env.VITE_SITE': JSON.stringify(site),
      'import.meta.env.VITE_FRAMES': JSON.stringify(`${frames}/`),
    },
    // The sources of packages/client, which needs no build then.
    resolve: { conditions: ['plugin-square-source', 'module', 'browser', 'development|production'] },
    optimizeDeps: { include: ['jose'] },
    cacheDir: join(pathOf('../../node_modules'), '.cache/host'),
    server: {
      host: '127.0.0.1',
      port: ports.host,
      strictPort: true,
      // Nothing else of the checkout, which may contain data.
      fs: {
        allow: ['.', '../../packages/client', '../../packages/sandbox', '../../node_modules'].map(pathOf),
      },
    },
    logLevel: 'warn',
  });
  await vite.listen();
  const documents = createHttpServer(({ url = '/' }, response) => {
    const { status, headers, body } = frameResponse(new URL(url, frames).search, [host]);
    response.writeHead(status, headers).end(body);
  });
  documents.listen(ports.frames, '127.0.0.1');
  await once(documents, 'listening');
  return async () => {
    documents.close().closeAllConnections();
    await vite.close();
  };
}
