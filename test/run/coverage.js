import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const C8 = join('node_modules', 'c8', 'bin', 'c8.js');
/** Folder of tap's coverage data. */
const COLLECTED = join('.tap', 'coverage');
/** The coverage in the README, as percent of lines. */
const IN_README = /(?<=^Tests without a browser run )\d+(?= % of the lines of `server\/` and `shared\/`)/m;
/** Allowed loss in percent, because timing differs between runs. */
const TOLERATED = 1;

/** Arguments for tap to collect coverage, also in processes that tests start. */
export const COVERAGE_ARGUMENTS = [
  '--no-disable-coverage',
  '--allow-incomplete-coverage',
  '--coverage-report=none',
];

/**
 * Percent of executed lines of `server/` and `shared/`, including files that no test has loaded.
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
 * The README with a new coverage.
 *
 * @param {string} readme
 * @param {number} covered percent of lines
 * @returns {{ text: string, isLower: boolean }} `isLower`: lower than before by more than the tolerance
 * @throws an error when there is no coverage in the README
 */
export function withCoverage(readme, covered) {
  const before = IN_README.exec(readme)?.[0];
  if (before === undefined) throw new Error('README.md has no coverage.');
  return { text: readme.replace(IN_README, String(covered)), isLower: covered < Number(before) - TOLERATED };
}

/**
 * Writes the coverage of the last run to the README, or fails without changing it if the coverage is lower.
 *
 * @param {string} root folder of the checkout
 * @param {string} node path of the Node to run c8 with
 * @returns {boolean} whether it is as high as before
 * @throws an error as the functions above do
 */
export function tellCoverage(root, node) {
  const covered = coveredLines(root, node);
  const path = join(root, 'README.md');
  const { text, isLower } = withCoverage(readFileSync(path, 'utf8'), covered);
  if (isLower) console.error(`Only ${covered} % of the lines run; README.md has more.`);
  else writeFileSync(path, text);
  return !isLower;
}
