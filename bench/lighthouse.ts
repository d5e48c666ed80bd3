import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { browserPath } from '../test/e2e/support/browser-path.ts';
import { median, type Table } from './figures.ts';

const ROUNDS = 5;
const FORM_FACTORS = ['mobile', 'desktop'] as const;
export const BROWSER_FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
];

const DESKTOP = {
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

type Options = {
  formFactor: (typeof FORM_FACTORS)[number];
  /** Simulates a slow network by calculation or in the browser. */
  throttling?: 'simulate' | 'devtools';
  onlyCategories?: string[];
};

async function lighthouseOf(url: string, { formFactor, throttling = 'simulate', ...options }: Options) {
  const chrome = await launch({ chromePath: browserPath(), chromeFlags: BROWSER_FLAGS });
  const result = await lighthouse(url, {
    port: chrome.port,
    output: 'json',
    logLevel: 'error',
    formFactor,
    throttlingMethod: throttling,
    ...options,
    ...(formFactor === 'desktop' ? DESKTOP : {}),
  });
  chrome.kill();
  if (!result) throw new Error(`Lighthouse had nothing to say about ${url}.`);
  return result.lhr;
}

async function score(
  url: string,
  formFactor: (typeof FORM_FACTORS)[number],
): Promise<Record<string, number>> {
  const { categories, audits } = await lighthouseOf(url, { formFactor });
  return {
    ...Object.fromEntries(Object.entries(categories).map(([name, { score }]) => [name, (score ?? 0) * 100])),
    'LCP ms': audits['largest-contentful-paint']?.numericValue ?? 0,
  };
}

/** Milliseconds; `shift` has no unit. */
export type Run = { lcp: number; fcp: number; blocking: number; shift: number; performance: number };

export async function runLighthouse(url: string, options: Options): Promise<Run> {
  const { categories, audits } = await lighthouseOf(url, { ...options, onlyCategories: ['performance'] });
  const value = (audit: string): number => audits[audit]?.numericValue ?? Number.NaN;
  return {
    lcp: value('largest-contentful-paint'),
    fcp: value('first-contentful-paint'),
    blocking: value('total-blocking-time'),
    shift: value('cumulative-layout-shift'),
    performance: (categories.performance?.score ?? 0) * 100,
  };
}

/** Lighthouse scores and largest contentful paint of pages, on a phone and on a desktop. */
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
