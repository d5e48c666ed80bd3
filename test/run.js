/**
 * `npm test`: installs what is missing, then checks and tests everything but what takes longest, with `--long` that alone,
 * or, with words as arguments, only the test files whose path contains one of them. With `--postgres` the database is a
 * server as operators have one; with `--no-browser` browser tests are left out; with `--coverage` README.md tells how much of
 * the code the others run; with `--again`, for CI, a few files that failed run once more, alone. A failing step does not hide
 * later ones. Ends with a line that counts cases that passed and failed; a case that was skipped fails the run.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from '../server/launch/build.js';
import { installMissing } from '../server/launch/install.js';
import { packageEnvironment, pinnedNode } from '../server/launch/node.js';
import { findBrowser } from './run/browser.js';
import { COVERAGE_ARGUMENTS, tellCoverage } from './run/coverage.js';
import { serveDatabase } from './run/database.js';
import { makeDemo } from './run/demo.js';
import { isBrowserTest } from './run/long.js';
import { assembleTap, runTap, runTapTwice, testFiles } from './run/tap.js';

/** @typedef {import('./run/tap.js').Counts} Counts */

const root = fileURLToPath(new URL('..', import.meta.url));
const POSTGRES = '--postgres';
const COVERAGE = '--coverage';
const NO_BROWSER = '--no-browser';
const LONG = '--long';
const AGAIN = '--again';
const FLAGS = [POSTGRES, COVERAGE, NO_BROWSER, LONG, AGAIN];
const given = process.argv.slice(2);
const withCoverage = given.includes(COVERAGE);
const words = given.filter((word) => !FLAGS.includes(word));
/** @type {NodeJS.ProcessEnv} */
const env = packageEnvironment(root);

/** Each file is a process of its own that loads much the same; with coverage, what comes from a cache is counted badly. */
const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'plugin-square') };

const NONE = { passed: 0, failed: 0, skipped: 0, unsteady: 0 };
const PASSED = { passed: 1, failed: 0, skipped: 0, unsteady: 0 };
const FAILED = { passed: 0, failed: 1, skipped: 0, unsteady: 0 };

/** @type {{ title: string, onlyWhole?: boolean, onlyCoverage?: boolean, run: () => Promise<Counts> }[]} */
const STEPS = [
  { title: 'Packages', run: () => done(installMissing(root)) },
  { title: 'Test runner', run: () => done(assembleTap(root, pinnedNode(root), env)) },
  { title: 'Browser', run: provideBrowser },
  { title: 'Web client', run: () => done(buildIfStale(root)) },
  { title: 'Types', onlyWhole: true, run: checkTypes },
  { title: 'Types of the benches', onlyWhole: true, run: checkBenchTypes },
  { title: 'Lint and format', onlyWhole: true, run: () => program('biome', 'check', '.') },
  { title: 'Tests', run: tests },
  { title: 'Coverage', onlyCoverage: true, run: coverage },
];

let total = NONE;
const isWhole = words.length === 0 && !given.includes(NO_BROWSER) && !given.includes(LONG);
const steps = STEPS.filter(
  ({ onlyWhole, onlyCoverage }) => (!onlyWhole || isWhole) && (!onlyCoverage || withCoverage),
);
for (const step of steps) total = sum(total, await runStep(step));
process.exitCode = total.failed + total.skipped === 0 ? 0 : 1;
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
const unsteady = total.unsteady > 0 ? `, ${total.unsteady} passed only alone, in a second run` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}${unsteady}`);

/**
 * @param {{ title: string, run: () => Promise<Counts> }} step
 * @returns {Promise<Counts>}
 */
async function runStep({ title, run }) {
  const started = performance.now();
  console.log(`\n== ${title}`);
  const counts = await Promise.resolve()
    .then(run)
    .catch((/** @type {unknown} */ error) => {
      console.error(error instanceof Error ? error.message : error);
      return FAILED;
    });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`-- ${title}: ${counts.failed + counts.skipped === 0 ? 'ok' : 'FAILED'}, ${seconds} s`);
  return counts;
}

/**
 * @param {Promise<void>} work
 * @returns {Promise<Counts>}
 */
async function done(work) {
  await work;
  return PASSED;
}

/** @returns {Promise<Counts>} */
async function provideBrowser() {
  env.CHROME_PATH = await findBrowser();
  console.log(env.CHROME_PATH);
  return PASSED;
}

/**
 * @param {string} name
 * @param {string[]} args
 * @returns {Promise<Counts>}
 */
async function program(name, ...args) {
  const path = join(root, 'node_modules', '.bin', name);
  const { status, error } = spawnSync(path, args, { cwd: root, env, stdio: 'inherit' });
  if (error) throw error;
  return status === 0 ? PASSED : FAILED;
}

/** @returns {Promise<Counts>} */
async function checkTypes() {
  const written = await program('node', 'web/message-types.ts');
  return written === FAILED ? FAILED : program('tsc', '--noEmit');
}

/** @returns {Promise<Counts>} */
async function checkBenchTypes() {
  await installMissing(join(root, 'bench'));
  return program('tsc', '--noEmit', '-p', 'bench');
}

/** @returns {Promise<Counts>} */
async function tests() {
  const found = testFiles(root, { words, long: given.includes(LONG) });
  const others = found.filter((file) => !isBrowserTest(file));
  const files = given.includes(NO_BROWSER) ? others : found;
  if (files.length === 0) throw new Error(`No test file's path contains ${words.join(' or ')}.`);
  const node = pinnedNode(root);
  const database = await serveDatabase(root, node, { ofOperators: given.includes(POSTGRES) });
  try {
    const demo = makeDemo(root, node, { files, serverUrl: database.url });
    try {
      const options = { cwd: root, env: { ...env, TEST_DATABASE_URL: database.url, ...demo.env } };
      const quick = { ...options, env: { ...COMPILE_CACHE, ...options.env } };
      const run = given.includes(AGAIN) ? runTapTwice : runTap;
      if (!withCoverage) return await run(node, files, quick);
      // Browser tests come first: each run of tap begins by removing what the one before has collected.
      const browser = files.filter(isBrowserTest);
      const counts = browser.length === 0 ? NONE : await run(node, browser, quick);
      return sum(counts, await run(node, others, { ...options, args: COVERAGE_ARGUMENTS }));
    } finally {
      demo.remove();
    }
  } finally {
    await database.stop();
  }
}

/**
 * @param {Counts} one
 * @param {Counts} other
 * @returns {Counts}
 */
function sum(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    unsteady: one.unsteady + other.unsteady,
  };
}

/** @returns {Promise<Counts>} */
async function coverage() {
  // A run that broke off has covered less than it would have.
  if (total.failed + total.skipped > 0) throw new Error('Nothing is told of tests that have not passed.');
  return tellCoverage(root, pinnedNode(root)) ? PASSED : FAILED;
}
