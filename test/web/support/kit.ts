import { fileURLToPath } from 'node:url';
import { type ComponentType, createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { createServer } from 'vite';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Renders a component of the UI kit from source like the server, with the class names of its CSS. */
export type Render = (file: string, name: string, props: object) => Promise<string>;

/** Loads the kit's sources for the duration of the test. */
export async function kit(t: { teardown(action: () => Promise<void>): unknown }): Promise<Render> {
  const server = await createServer({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
    css: { modules: { generateScopedName: '[local]' } },
  });
  t.teardown(() => server.close());
  return async (file, name, props) => {
    const module: Record<string, ComponentType<object>> = await server.ssrLoadModule(`/web/ui/${file}`);
    const Part = module[name];
    if (!Part) throw new Error(`${file} has no ${name}`);
    const texts = { locale: 'en-US', messages: {}, onError: () => undefined } as const;
    return renderToString(createElement(IntlProvider, { ...texts, children: createElement(Part, props) }));
  };
}
