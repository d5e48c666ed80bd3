import { fileURLToPath } from 'node:url';
import { createElement, type FunctionComponent, type ReactNode } from 'react';
import { createServer, type ViteDevServer } from 'vite';

const CONFIG = fileURLToPath(new URL('../../../web/vite.config.ts', import.meta.url));

/** A module of the web client by its path below `web/` with a leading slash, or one of its packages. */
export type LoadSource = ViteDevServer['ssrLoadModule'];

/** Loads the web client's sources through a Vite development server for the duration of the test. */
export async function webSources(t: { teardown(action: () => Promise<void>): unknown }): Promise<LoadSource> {
  const server = await createServer({
    configFile: CONFIG,
    logLevel: 'error',
    server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  });
  t.teardown(() => server.close());
  return server.ssrLoadModule;
}

/** Provides messages that are their own keys: `toast.liked`. */
export async function withKeysAsTexts(load: LoadSource): Promise<FunctionComponent<{ children: ReactNode }>> {
  const IntlProvider: typeof import('use-intl').IntlProvider = (await load('use-intl')).IntlProvider;
  const props = { locale: 'en-US', messages: {}, onError: () => undefined } as const;
  return ({ children }) => createElement(IntlProvider, { ...props, children });
}
