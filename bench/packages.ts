import { openPackageCheck } from '../server/community/publishing/packages/package-check.ts';
import { bundle, bytesOf, packageText } from '../test/fixtures/packages/base.ts';
import { median } from './figures.ts';
import type { Bench } from './run.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = KIBIBYTE * KIBIBYTE;
const ROUNDS = 5;

/** Sizes of packages in bytes. A script may have 5 MiB, so the large package has two scripts and a page. */
const SIZES: readonly [name: string, bytes: number][] = [
  ['391 kB', 391 * KIBIBYTE],
  ['10 MiB', 10 * MEBIBYTE],
];

/** A package of exactly this size, padded by its page. */
function packageOf(bytes: number): Uint8Array {
  const manifest = {
    name: 'Bench',
    main: 'main.js',
    ui: 'ui.html',
    networkAccess: { allowedDomains: ['none'] },
  };
  const script = bundle(Math.min(bytes * 0.45, 4.4 * MEBIBYTE));
  const files = { 'main.js': `import './more.js';\n${script}`, 'more.js': script, 'ui.html': '<p></p>' };
  const missing = bytes - bytesOf(packageText({ manifest, files })).length;
  return bytesOf(
    packageText({ manifest, files: { ...files, 'ui.html': `<p></p>${' '.repeat(Math.max(0, missing))}` } }),
  );
}

/** Highest memory of this process, MiB, while `work` is under way. */
async function peakDuring<T>(work: () => Promise<T>): Promise<{ answer: T; peak: number }> {
  let peak = process.memoryUsage.rss();
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const answer = await work().finally(() => clearInterval(timer));
  return { answer, peak: Math.max(peak, process.memoryUsage.rss()) / MEBIBYTE };
}

/** Time of checking a package in the service's thread, and memory growth. */
export const packages: Bench = async () => {
  const rows: (string | number)[][] = [];
  for (const [name, size] of SIZES) {
    const bytes = packageOf(size);
    const before = process.memoryUsage.rss() / MEBIBYTE;
    const check = openPackageCheck();
    const times: number[] = [];
    const work: number[] = [];
    let most = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const cpu = process.cpuUsage();
      const started = performance.now();
      const { answer, peak } = await peakDuring(() => check.check(bytes, { userId: 1 }));
      times.push(performance.now() - started);
      const { user, system } = process.cpuUsage(cpu);
      work.push((user + system) / 1000);
      most = Math.max(most, peak - before);
      const [found] = answer.findings;
      if (found) throw new Error(`unexpected finding: ${found.code} ${found.message}`);
    }
    await check.close();
    rows.push([
      name,
      bytes.length,
      median(times).toFixed(0),
      Math.max(...times).toFixed(0),
      median(work).toFixed(0),
      most.toFixed(0),
    ]);
  }
  return [
    {
      title: `Check of a package, median of ${ROUNDS}`,
      head: [
        'package',
        'bytes',
        'ms',
        'slowest (the first, with the thread)',
        'CPU ms',
        'MiB of the thread at most',
      ],
      rows,
    },
  ];
};
