import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { BASE_PATH } from '../shared/constants.ts';
import { compressed } from './build/compressed.ts';
import { operations } from './build/operations.ts';
import { texts } from './build/texts.ts';

const web = import.meta.dirname;

/** The first browsers with `light-dark()`, which the design tokens need. */
const BROWSERS = ['chrome123', 'firefox120', 'safari17.5'];

/** Packages that every page needs. */
const LIBRARIES =
  /\/node_modules\/(react|react-dom|react-router|react-router-dom|scheduler|@tanstack|use-intl)\//;

const ICONS = /\/node_modules\/lucide-react\//;

/** How calls are sent and read, which every page loads when it is idle. */
const CALLS = /virtual:(?:operations|shapes)|\/web\/api\/transport/;

/** What the two most visited pages consist of, without the pages themselves, which the manifest names. */
const HOME_PARTS = /\/web\/(?:pages\/home\/(?!home-page)|features\/collections\/collection-row|ui\/avatar\/)/;
const PLUGIN_PARTS = /\/web\/pages\/plugin\/(?!plugin-page)/;

const ROUTER_BUILD = join(web, '../node_modules/react-router/dist/production');
const PRODUCTION_ROUTER = [
  { find: /^react-router$/, replacement: join(ROUTER_BUILD, 'index.mjs') },
  { find: /^react-router\/dom$/, replacement: join(ROUTER_BUILD, 'dom-export.mjs') },
];

/** `vite build web --app` builds `dist/client` for browsers and `dist/server`, with which the gateway renders pages. */
export default defineConfig(({ command }) => ({
  root: web,
  base: BASE_PATH,
  appType: 'custom',
  logLevel: 'warn',
  plugins: [react(), operations(), texts({ web, locales: join(web, '../locales') }), compressed()],
  resolve: {
    alias: [
      // Messages are compiled, so the formatter without a parser is enough.
      { find: /^use-intl\/format-message$/, replacement: 'use-intl/format-message/format-only' },
      // The package only exports its development build, with warnings.
      ...(command === 'build' ? PRODUCTION_ROUTER : []),
    ],
  },
  // Custom media: web/ui/media.css. Names of view transitions, and so those of keyframes, are the same in all modules.
  css: {
    transformer: 'lightningcss',
    lightningcss: { drafts: { customMedia: true }, cssModules: { customIdents: false } },
  },
  optimizeDeps: { entries: 'main.tsx' },
  // Nothing else of the checkout, which may contain data.
  server: {
    fs: {
      allow: [
        web,
        join(web, '../shared'),
        join(web, '../packages/sandbox'),
        realpathSync(join(web, '../node_modules')),
      ],
    },
  },
  build: { emptyOutDir: true, reportCompressedSize: false },
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        target: BROWSERS,
        manifest: true,
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: join(web, 'main.tsx'),
          output: {
            codeSplitting: {
              groups: [
                // Rarely changed packages are a separate chunk, so that returning visitors have it cached.
                { name: 'libraries', test: LIBRARIES },
                // What every page needs stays with the entry, or it would need the chunk of a page.
                { name: 'initial', tags: ['$initial'] },
                // Widely used code is one file instead of many small ones.
                { name: 'shared', test: /\/(?:web|shared)\//, minShareCount: 30 },
                // Cards, lists and their buttons, for home and most other pages.
                { name: 'plugins', test: /\/web\/features\/plugins\/[^/]+\.tsx$/ },
                // An icon is a file of a few hundred bytes.
                { name: 'icons', test: ICONS, minShareCount: 3 },
                { name: 'calls', test: CALLS },
                // With all that they import and no group above has: a file each instead of five and thirty. Every page
                // loads the second when it is idle.
                { name: 'home-parts', test: HOME_PARTS },
                { name: 'plugin-parts', test: PLUGIN_PARTS },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // In production the gateway doesn't have the web client's packages.
      resolve: { noExternal: command === 'build' ? true : ['use-intl', 'lucide-react'] },
      ...(command === 'build' && { define: { 'process.env.NODE_ENV': '"production"' } }),
      build: {
        outDir: 'dist/server',
        target: 'node24',
        cssTarget: BROWSERS,
        minify: true,
        copyPublicDir: false,
        ssr: true,
        rolldownOptions: { input: join(web, 'entry-server.tsx') },
      },
    },
  },
}));
