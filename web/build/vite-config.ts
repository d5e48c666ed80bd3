import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { InlineConfig, Plugin } from 'vite';
import { BASE_PATH } from '../../shared/constants.ts';
import { chunkNamer } from './chunks.ts';
import type { ClientAssets } from './client-assets.ts';
import { messagesPlugin } from './messages-plugin.ts';
import { operationsPlugin } from './operations-plugin.ts';

/** The first browsers that know `light-dark()`, on which the design tokens are built. */
const BROWSERS = ['chrome123', 'firefox120', 'safari17.5'];

/** What every page stands on and few releases change: kept apart, so that returning visitors keep it. */
const FOUNDATION =
  /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@tanstack\/[a-z-]+|use-intl|@formatjs\/[a-z-]+|icu-minify|cookie|set-cookie-parser)\//;

const OURS = /\/web\/(?:ui|features|layout|api|pages)\//;

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
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(root, 'web/main.tsx'),
        output: {
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
