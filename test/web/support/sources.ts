import { fileURLToPath } from 'node:url';
import { createElement, type FunctionComponent, type ReactNode } from 'react';
import { createServer, type ViteDevServer } from 'vite';

const CONFIG = fileURLToPath(new URL('../../../web/vite.config.ts', import.meta.url));

/** A module of the web client by its path below `web/`, beginning with a slash, or a package that it uses. */
export type LoadSource = ViteDevServer['ssrLoadModule'];

/** Opens the web client's sources, as a server in development has them, for as long as the test runs. */
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

/** Surrounds what is rendered by texts that are their own keys: `toast.liked`. */
export async function withKeysAsTexts(load: LoadSource): Promise<FunctionComponent<{ children: ReactNode }>> {
  const IntlProvider: typeof import('use-intl').IntlProvider = (await load('use-intl')).IntlProvider;
  const props = { locale: 'en-US', messages: {}, onError: () => undefined } as const;
  return ({ children }) => createElement(IntlProvider, { ...props, children });
}
