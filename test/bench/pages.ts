import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LANGUAGES } from '../../shared/languages.ts';
import { buildWeb } from '../../web/build/build.ts';
import { TEXT_GROUPS } from '../../web/text-groups.ts';
import { makeDataFolder, startProduct } from '../support/product.ts';
import type { Table } from './figures.ts';
import { lighthouseScores } from './lighthouse.ts';
import type { Bench } from './run.ts';

/** Milliseconds in which the demo catalogue has its pictures. */
const SETTLE = 30_000;
const PLUGIN = 'square-chart-kitchen';
/** A line of the build's report. */
const WEIGHT = /^web\/pages\/(\S+): js ([\d.]+) KiB br, css inlined ([\d.]+) KiB br/gm;

function weights(report: string): Table {
  return {
    title: 'First view of each page, KiB brotli',
    head: ['page', 'scripts with the English texts', 'CSS in the document'],
    rows: [...report.matchAll(WEIGHT)].map(([, page = '', js = '', css = '']) => [page, js, css]),
  };
}

async function texts(folder: string): Promise<Table> {
  const assets = join(folder, 'client/assets');
  const names = (await readdir(assets)).filter((name) => name.endsWith('.js.br'));
  const groups = ['', ...Object.keys(TEXT_GROUPS).map((group) => `_${group}`)];
  const kibibytes = async (start: string): Promise<string> => {
    const file = names.find((name) => name.startsWith(start));
    return file === undefined ? '0' : ((await stat(join(assets, file))).size / 1024).toFixed(1);
  };
  return {
    title: 'Texts of a language, KiB brotli',
    head: ['language', 'every page', ...Object.keys(TEXT_GROUPS)],
    rows: await Promise.all(
      LANGUAGES.map(async (language) => [
        language,
        ...(await Promise.all(groups.map((group) => kibibytes(`_messages_${language}${group}-`)))),
      ]),
    ),
  };
}

/** What the browser is sent for each page, and Lighthouse's scores of those that strangers see. */
export const pages: Bench = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-pages-'));
  const tables = [weights(await buildWeb(folder)), await texts(folder)];
  await rm(folder, { recursive: true });
  const { dir, remove } = await makeDataFolder();
  const product = await startProduct(dir);
  await new Promise((resolve) => setTimeout(resolve, SETTLE));
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
