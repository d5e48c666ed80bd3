import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { makeDataFolder, startProduct } from '../test/support/product.ts';
import { catalogue } from '../test/web/support/answers.ts';
import { bootWith } from '../test/web/support/boot.ts';
import { builtWeb } from '../test/web/support/build.ts';
import type { Table } from './figures.ts';
import { layoutShifts, WITH_ADMIN } from './layout-shift.ts';
import { lighthouseScores } from './lighthouse.ts';
import type { Bench } from './run.ts';

const PLUGIN = 'square-chart-kitchen';
const WEIGHED = [
  '/plugins/',
  '/plugins/plugin/plugin000003',
  '/plugins/protocol',
  '/help',
  '/user/login',
  '/plugins/publish-plugin/single',
  '/plugins/my-plugins',
  '/plugins/backstage-index/audit-list',
];

function kibibytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}

/** Initial scripts and inline CSS of each page. */
async function weights(): Promise<Table> {
  const { folder, entry } = await builtWeb();
  const rows = WEIGHED.map(async (url) => {
    const { html } = await entry.render(url, bootWith(), catalogue);
    const scripts = [...html.matchAll(/(?:href|src)="\/plugins\/(assets\/[^"]+\.js)"/g)];
    const sizes = scripts.map(async ([, file]) => (await stat(join(folder, `client/${file}.br`))).size);
    const css = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
    const sum = (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
    return [url, kibibytes(sum), kibibytes(brotliCompressSync(css).byteLength)];
  });
  return {
    title: 'First view of each page, KiB brotli',
    head: ['page', 'scripts with the English texts', 'CSS in the document'],
    rows: await Promise.all(rows),
  };
}

/** Download sizes and layout shift of each page, and Lighthouse scores of the public ones. */
export const pages: Bench = async () => {
  const tables = [await weights()];
  const { dir, remove } = await makeDataFolder();
  const product = await startProduct(dir, { ...WITH_ADMIN, RATE_LIMIT_FACTOR: '0' });
  tables.push(await layoutShifts(product.origin, PLUGIN));
  tables.push(
    await lighthouseScores([
      ['home', `${product.origin}/plugins/`],
      ['detail', `${product.origin}/plugins/plugin/${PLUGIN}`],
      ['login', `${product.origin}/user/login?redirect_uri=/`],
    ]),
  );
  await product.stop();
  await remove();
  return tables;
};
