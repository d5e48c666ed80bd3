import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { browserPath } from '../e2e/support/browser.ts';
import { makeDataFolder, startProduct } from '../support/product.ts';
import { median, type Table } from './figures.ts';
import type { Bench } from './run.ts';

const ROUNDS = 5;
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'];
const FORM_FACTORS = ['mobile', 'desktop'] as const;

/** Requests and transferred bytes of a first visit, by kind. */
async function weigh(url: string): Promise<Table> {
  const browser = await chromium.launch({ executablePath: browserPath(), args: FLAGS });
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

async function score(
  url: string,
  formFactor: (typeof FORM_FACTORS)[number],
): Promise<Record<string, number>> {
  const chrome = await launch({ chromePath: browserPath(), chromeFlags: FLAGS });
  const desktop = {
    formFactor,
    screenEmulation: { mobile: false, width: 1350, height: 940, deviceScaleFactor: 1, disabled: false },
    throttling: {
      rttMs: 40,
      throughputKbps: 10_240,
      cpuSlowdownMultiplier: 1,
      requestLatencyMs: 0,
      downloadThroughputKbps: 0,
      uploadThroughputKbps: 0,
    },
  };
  const result = await lighthouse(url, {
    port: chrome.port,
    output: 'json',
    logLevel: 'error',
    ...(formFactor === 'desktop' ? desktop : { formFactor }),
  });
  chrome.kill();
  const categories = Object.entries(result?.lhr.categories ?? {});
  const lcp = result?.lhr.audits['largest-contentful-paint']?.numericValue ?? 0;
  return {
    ...Object.fromEntries(categories.map(([name, { score }]) => [name, (score ?? 0) * 100])),
    'LCP ms': lcp,
  };
}

async function rate(url: string): Promise<Table> {
  const rows: Table['rows'] = [];
  let head: string[] = [];
  for (const formFactor of FORM_FACTORS) {
    const rounds: Record<string, number>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await score(url, formFactor));
    head = Object.keys(rounds[0] ?? {});
    rows.push([
      formFactor,
      ...head.map((name) => Math.round(median(rounds.map((scores) => scores[name] ?? 0)))),
    ]);
  }
  return { title: `Home page: Lighthouse, median of ${ROUNDS}`, head: ['device', ...head], rows };
}

/** Weight and Lighthouse scores of the home page with the demo catalogue. */
export const home: Bench = async () => {
  const { dir, remove } = await makeDataFolder();
  const product = await startProduct(dir);
  await new Promise((resolve) => setTimeout(resolve, 15_000));
  const url = `${product.origin}/plugins/`;
  const tables = [await weigh(url), await rate(url)];
  await product.stop();
  await remove();
  return tables;
};
