import { join, resolve } from 'node:path';
import { build } from 'vite';
import type { ClientAssets } from './client-assets.ts';
import { compressFolder } from './compress.ts';
import { firstViewPlugin } from './first-view-plugin.ts';
import { sizeReport } from './size-report.ts';
import { clientConfig, serverConfig } from './vite-config.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Builds the browser's files into `<out>/client`, pre-compressed, and what the gateway renders pages with into
 * `<out>/server`. Answers a line per page with its weight.
 */
export async function buildWeb(out: string): Promise<string> {
  const made = Promise.withResolvers<ClientAssets>();
  await build(
    clientConfig(ROOT, join(out, 'client'), firstViewPlugin({ root: ROOT, onAssets: made.resolve })),
  );
  const assets = await made.promise;
  const [sizes] = await Promise.all([
    compressFolder(join(out, 'client', 'assets')),
    build(serverConfig(ROOT, join(out, 'server'), assets)),
  ]);
  return sizeReport(assets, sizes);
}

if (import.meta.main) {
  const started = performance.now();
  const report = await buildWeb(resolve(process.argv[2] ?? join(ROOT, 'web/dist')));
  console.log(`${report}\nbuilt in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
