import { makeDataFolder, startProduct } from '../test/support/product.ts';
import { median, type Table } from './figures.ts';
import { type Run, runLighthouse } from './lighthouse.ts';
import type { Bench } from './run.ts';
import { serveStaticPage } from './static-page.ts';

const ROUNDS = 5;
const PLUGIN = 'square-chart-kitchen';

type Page = { name: string; url: string; runs: Run[] };

const FIGURES = {
  'LCP ms': ({ lcp }) => lcp,
  'FCP ms': ({ fcp }) => fcp,
  'blocking ms': ({ blocking }) => blocking,
  'layout shift': ({ shift }) => shift,
  performance: ({ performance }) => performance,
} satisfies Record<string, (run: Run) => number>;

async function measure(pages: Page[], formFactor: 'mobile' | 'desktop'): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const page of pages)
      page.runs.push(await runLighthouse(page.url, { formFactor, throttling: 'devtools' }));
  }
}

function tableOf(pages: readonly Page[], device: string): Table {
  const [plain] = pages;
  const value = ({ runs }: Page, of: (run: Run) => number): number => median(runs.map(of));
  const baseline = plain ? value(plain, FIGURES['LCP ms']) : 0;
  return {
    title: `First view ${device}, Lighthouse with devtools throttling, median of ${ROUNDS}`,
    head: ['page', ...Object.keys(FIGURES), 'LCP ÷ static page'],
    rows: pages.map((page) => [
      page.name,
      ...Object.values(FIGURES).map((of) => Number(value(page, of).toFixed(3))),
      (value(page, FIGURES['LCP ms']) / baseline).toFixed(2),
    ]),
  };
}

async function firstView(formFactor: 'mobile' | 'desktop'): Promise<Table[]> {
  const { dir, remove } = await makeDataFolder();
  const product = await startProduct(dir);
  const plain = await serveStaticPage(product.origin);
  const pages: Page[] = [
    { name: 'static page', url: plain.url, runs: [] },
    { name: 'home', url: `${product.origin}/plugins/`, runs: [] },
    { name: 'detail', url: `${product.origin}/plugins/plugin/${PLUGIN}`, runs: [] },
  ];
  await measure(pages, formFactor);
  await plain.close();
  await product.stop();
  await remove();
  return [tableOf(pages, formFactor === 'mobile' ? 'on a phone' : 'at a desk')];
}

/** Home and detail page beside a static page with the same cards, in turns. */
export const firstViewMobile: Bench = () => firstView('mobile');
export const firstViewDesktop: Bench = () => firstView('desktop');
