import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const C8 = join('node_modules', 'c8', 'bin', 'c8.js');
/** Where tap puts what each process has run. */
const COLLECTED = join('.tap', 'coverage');
/** Where the README tells the figure: percent of lines. */
const TOLD = /(?<=^Tests without a browser run )\d+(?= % of the lines of `server\/` and `shared\/`)/m;
/** Percent that it may be lower before that fails: what is waited for differs from run to run. */
const TOLERATED = 1;

/** What tap takes to collect it, in its own processes and those that tests start. */
export const COVERAGE_ARGUMENTS = [
  '--no-disable-coverage',
  '--allow-incomplete-coverage',
  '--coverage-report=none',
];

/**
 * Percent of the lines of `server/` and `shared/` that have run, files that no test has loaded among them.
 *
 * @param {string} root folder of the checkout
 * @param {string} node path of the Node to run c8 with
 * @returns {number} rounded down
 * @throws an error when there is nothing to report of
 */
export function coveredLines(root, node) {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-square-coverage-'));
  try {
    const files = ['--include=server/**', '--include=shared/**', '--all'];
    const places = [`--temp-directory=${COLLECTED}`, `--reports-dir=${folder}`];
    const { status } = spawnSync(
      node,
      [C8, 'report', ...places, ...files, '--reporter=json-summary', '--reporter=text-summary'],
      { cwd: root, stdio: 'inherit' },
    );
    if (status !== 0) throw new Error('c8 could not report the coverage.');
    const { total } = JSON.parse(readFileSync(join(folder, 'coverage-summary.json'), 'utf8'));
    return Math.floor(total.lines.pct);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The README with another figure.
 *
 * @param {string} readme
 * @param {number} covered percent of lines
 * @returns {{ text: string, isLower: boolean }} `isLower`: by more than is tolerated than it was told
 * @throws an error when it tells no figure
 */
export function withCoverage(readme, covered) {
  const told = TOLD.exec(readme)?.[0];
  if (told === undefined) throw new Error('README.md tells no coverage.');
  return { text: readme.replace(TOLD, String(covered)), isLower: covered < Number(told) - TOLERATED };
}

/**
 * Tells the coverage of the last run in the README, or, where it has become lower, fails and leaves the README alone.
 *
 * @param {string} root folder of the checkout
 * @param {string} node path of the Node to run c8 with
 * @returns {boolean} whether it is as high as it was told
 * @throws an error as the functions above do
 */
export function tellCoverage(root, node) {
  const covered = coveredLines(root, node);
  const path = join(root, 'README.md');
  const { text, isLower } = withCoverage(readFileSync(path, 'utf8'), covered);
  if (isLower) console.error(`Only ${covered} % of the lines run; README.md tells more.`);
  else writeFileSync(path, text);
  return !isLower;
}
