import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { browserPath } from '../e2e/support/browser-path.ts';
import { median, type Table } from './figures.ts';

const ROUNDS = 5;
const FORM_FACTORS = ['mobile', 'desktop'] as const;
export const BROWSER_FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
];

async function score(
  url: string,
  formFactor: (typeof FORM_FACTORS)[number],
): Promise<Record<string, number>> {
  const chrome = await launch({ chromePath: browserPath(), chromeFlags: BROWSER_FLAGS });
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

/** Lighthouse's scores of pages, and when their largest content stood there, on a phone and at a desk. */
export async function lighthouseScores(
  pages: readonly (readonly [name: string, url: string])[],
): Promise<Table> {
  const rows: Table['rows'] = [];
  let head: string[] = [];
  for (const [name, url] of pages) {
    for (const formFactor of FORM_FACTORS) {
      const rounds: Record<string, number>[] = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(await score(url, formFactor));
      head = Object.keys(rounds[0] ?? {});
      const medians = head.map((key) => Math.round(median(rounds.map((scores) => scores[key] ?? 0))));
      rows.push([name, formFactor, ...medians]);
    }
  }
  return { title: `Lighthouse, median of ${ROUNDS}`, head: ['page', 'device', ...head], rows };
}
