import { fileURLToPath } from 'node:url';
import { Parse } from 'typebox/value';
import { ModuleRunner, type ModuleRunnerTransport } from 'vite/module-runner';
import type { Config } from '../config.ts';
import type { Pages } from '../gateway/options.ts';
import { serverEntryOf } from '../gateway/pages/client-build.ts';
import { onMessage } from '../workers/worker.ts';
import { Invoked, Setup } from './setup.ts';

const PUBLIC_DIR = fileURLToPath(new URL('../../web/public', import.meta.url));
const ENTRY = '/entry-server.tsx';

/** The services' side of development. */
export type Development = {
  config: Config;
  pages: Pages;
  /** Tells the development server that the services accept requests. */
  ready(): void;
};

/**
 * Joins the development server (`main.ts`) that started this process: the services listen on a loopback port for it, and
 * pages are rendered from the current sources, which its Vite transforms.
 *
 * @param setup JSON of a `Setup`
 * @param given configuration of the environment
 * @throws Error if the setup is invalid
 */
export function joinDevelopment(setup: string, given: Config): Development {
  const { port, databaseUrl = given.databaseUrl, nonce, head } = Parse(Setup, JSON.parse(setup));
  const runner = new ModuleRunner({ transport: viteOfParent(), hmr: false });
  const load = async () => serverEntryOf(await runner.import<object>(ENTRY), ENTRY);
  const source = `'nonce-${nonce}'`;
  return {
    config: {
      ...given,
      host: '127.0.0.1',
      port,
      databaseUrl,
      trustProxy: [...given.trustProxy, '127.0.0.1'],
      workers: 1,
    },
    pages: {
      entry: {
        // Only names shared documents, and here none are.
        target: (url) => url,
        async render(url, boot, fetchQuery) {
          const { status, html } = await (await load()).render(url, boot, fetchQuery);
          return { status, html: html.replace('<head>', () => `<head>${head}`) };
        },
        inlineHashes: { style: [source], script: [source] },
      },
      clientDir: PUBLIC_DIR,
      fromSources: true,
    },
    ready() {
      process.send?.({ ready: true });
      // The first page is then as fast as others; an error is shown by the page that needs it.
      void load().catch(() => undefined);
    },
  };
}

/** Vite's module runner asks the Vite of the parent process for transformed modules. */
function viteOfParent(): ModuleRunnerTransport {
  const pending = new Map<number, (response: { result: unknown } | { error: unknown }) => void>();
  let last = 0;
  onMessage(process, Invoked, ({ invoked, response }) => {
    pending.get(invoked)?.(response);
    pending.delete(invoked);
  });
  return {
    invoke(payload) {
      last += 1;
      const { promise, resolve } = Promise.withResolvers<{ result: unknown } | { error: unknown }>();
      pending.set(last, resolve);
      process.send?.({ invoke: last, payload });
      return promise;
    },
  };
}
