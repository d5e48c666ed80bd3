import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { InlineConfig, Plugin, Rolldown } from 'vite';
import { BASE_PATH } from '../../shared/constants.ts';
import { chunkNamer } from './chunks.ts';
import { classNamer } from './class-names.ts';
import type { ClientAssets } from './client-assets.ts';
import { messagesPlugin } from './messages-plugin.ts';
import { operationsPlugin } from './operations-plugin.ts';

/** The first browsers that know `light-dark()`, on which the design tokens are built. */
const BROWSERS = ['chrome123', 'firefox120', 'safari17.5'];

/** What every page stands on and few releases change: kept apart, so that returning visitors keep it. */
const FOUNDATION =
  /\/node_modules\/(react|react-dom|scheduler|@tanstack\/[a-z-]+|use-intl|@formatjs\/[a-z-]+|icu-minify)\/|^\0(?:vite\/preload-helper|rolldown\/runtime)/;

const OURS = /\/(?:web|shared)\/(?!.*\/node_modules\/)|^\0virtual:/;

const ALWAYS_THERE = /\/(?:foundation|rolldown-runtime)-[\w-]+\.js$/;

/** Pieces of libraries that lazy parts share have no name worth sending with each first view. */
function isPiece({ name, isDynamicEntry, moduleIds }: Rolldown.PreRenderedChunk): boolean {
  return !isDynamicEntry && name !== 'foundation' && moduleIds.every((id) => id.includes('/node_modules/'));
}

/** Build of what the browser loads. */
export function clientConfig(root: string, outDir: string, firstView: Plugin): InlineConfig {
  return {
    ...shared(root),
    plugins: [react(), operationsPlugin(), messagesPlugin(join(root, 'locales')), firstView],
    build: {
      outDir,
      emptyOutDir: true,
      manifest: true,
      target: BROWSERS,
      assetsInlineLimit: 0,
      modulePreload: {
        polyfill: false,
        // What every page has loaded need not be named beside every lazy part.
        resolveDependencies: (_file, needed) => needed.filter((file) => !ALWAYS_THERE.test(file)),
      },
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(root, 'web/main.tsx'),
        output: {
          chunkFileNames: (chunk) => (isPiece(chunk) ? 'assets/k-[hash].js' : 'assets/[name]-[hash].js'),
          codeSplitting: {
            groups: [
              { name: 'foundation', test: FOUNDATION, priority: 1 },
              // Each module by its own audience: with what it imports, home would load what plugin pages share.
              {
                name: chunkNamer(root),
                debugName: 'by audience',
                test: OURS,
                includeDependenciesRecursively: false,
              },
            ],
          },
        },
      },
    },
  };
}

/** Build of what the gateway renders pages with: one self-contained module. */
export function serverConfig(root: string, outDir: string, assets: ClientAssets): InlineConfig {
  return {
    ...shared(root),
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [react(), operationsPlugin(), messagesPlugin(join(root, 'locales')), clientAssetsPlugin(assets)],
    ssr: { noExternal: true },
    build: {
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      ssr: join(root, 'web/entry-server.tsx'),
      target: 'node24',
      cssTarget: BROWSERS,
      reportCompressedSize: false,
      minify: true,
      rolldownOptions: { output: { entryFileNames: 'entry-server.js', chunkFileNames: '[name]-[hash].js' } },
    },
  };
}

function shared(root: string): InlineConfig {
  return {
    root,
    base: BASE_PATH,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    css: { modules: { generateScopedName: classNamer(root) } },
    resolve: {
      // Messages arrive parsed, so the formatter that brings no parser is enough.
      alias: [{ find: /^use-intl\/format-message$/, replacement: 'use-intl/format-message/format-only' }],
    },
  };
}

/** Serves `virtual:client-assets` to the server build. */
function clientAssetsPlugin(assets: ClientAssets): Plugin {
  const module = 'virtual:client-assets';
  return {
    name: 'client-assets',
    resolveId: (source) => (source === module ? `\0${module}` : undefined),
    load: (id) => (id === `\0${module}` ? `export const assets = ${JSON.stringify(assets)};` : undefined),
  };
}
