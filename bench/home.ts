import { chromium } from 'playwright-core';
import { browserPath } from '../test/e2e/support/browser-path.ts';
import { makeDataFolder, startProduct } from '../test/support/product.ts';
import type { Table } from './figures.ts';
import { BROWSER_FLAGS, lighthouseScores } from './lighthouse.ts';
import type { Bench } from './run.ts';

/** Requests and transferred bytes of a first visit, by kind. */
async function weigh(url: string): Promise<Table> {
  const browser = await chromium.launch({ executablePath: browserPath(), args: BROWSER_FLAGS });
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const kinds = new Map<string, string>();
  const weights = new Map<string, { requests: number; bytes: number }>();
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other';
    const sum = weights.get(kind) ?? { requests: 0, bytes: 0 };
    weights.set(kind, { requests: sum.requests + 1, bytes: sum.bytes + encodedDataLength });
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  await browser.close();
  const all = [...weights.values()].reduce((sum, { requests }) => sum + requests, 0);
  return {
    title: `Home page: ${all} requests on a first visit`,
    head: ['kind', 'requests', 'bytes transferred'],
    rows: [...weights].map(([kind, { requests, bytes }]) => [kind, requests, bytes]),
  };
}

/** Weight and Lighthouse scores of the home page with the demo catalogue. */
export const home: Bench = async () => {
  const { dir, remove } = await makeDataFolder();
  const product = await startProduct(dir);
  const url = `${product.origin}/plugins/`;
  const tables = [await weigh(url), await lighthouseScores([['home', url]])];
  await product.stop();
  await remove();
  return tables;
};
