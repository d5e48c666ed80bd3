/**
 * A process that runs test files of a queue, because loading the product takes longer than most files. Each file is a subtest,
 * which is what the file imports as `tap`; support modules get the process's own. Result lines go to stderr as files end, for
 * tap holds the report of a process back until its end.
 */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import tap from 'tap';
import { findBrowserPath, NO_BROWSER } from '../e2e/support/browser-path.ts';

/** For a file that hangs; the longest takes 4 minutes, and 20 beside two busy loops. */
const TIMEOUT_MS = 1_800_000;
/** Files that are of no use without a browser. */
const IN_BROWSER = /^test\/(?:e2e|pictures)\//;
const SUBTEST_OF = 'tap-of:';
const SUBTESTS = Symbol.for('plugin-square.subtests');
const TAP = import.meta.resolve('tap');

/** @type {Map<string, import('tap').Test>} by URL of the file */
const subtests = new Map();
Object.defineProperty(globalThis, SUBTESTS, { value: subtests });

// Unless coverage is measured, programs that tests start don't read all their files once more for tap, which costs part
// of their start, and have the memory that the launcher gives them.
if (process.env._TAPJS_PROCESSINFO_COVERAGE_ === '0') {
  process.env._TAPJS_PROCESSINFO_EXCLUDE_ = String(/(?:)/);
  delete process.env.NODE_OPTIONS;
}

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context;
    if (specifier !== 'tap' || !subtests.has(parentURL)) return next(specifier, context);
    return { url: SUBTEST_OF + parentURL, format: 'module', shortCircuit: true };
  },
  load(url, context, next) {
    if (!url.startsWith(SUBTEST_OF)) return next(url, context);
    const file = JSON.stringify(url.slice(SUBTEST_OF.length));
    const source =
      `export * from ${JSON.stringify(TAP)};\n` +
      `export default globalThis[Symbol.for('${SUBTESTS.description}')].get(${file});`;
    return { format: 'module', shortCircuit: true, source };
  },
});

/**
 * Runs files of the queue that no other worker has taken.
 *
 * @param {string} queue folder with a list `files`; workers mark there what they take
 * @param {number} most how many files this worker may run
 */
export async function work(queue, most) {
  const files = readFileSync(join(queue, 'files'), 'utf8').trim().split('\n');
  tap.setTimeout(0);
  let left = most;
  for (const [index, file] of files.entries()) {
    if (left === 0) break;
    if (!take(join(queue, `taken-${index}`))) continue;
    left -= 1;
    const globals = Object.getOwnPropertyDescriptors(globalThis);
    await runFile(file);
    restoreGlobals(globals);
  }
  // For tap, a process without a test has failed.
  if (left === most) tap.pass('nothing was left');
}

/** @param {string} file */
async function runFile(file) {
  const url = pathToFileURL(resolve(file)).href;
  process.env.TEST_FILE = file;
  const started = performance.now();
  const before = process.cpuUsage();
  /** @type {string[]} */
  const lines = [];
  const skip = IN_BROWSER.test(file) && findBrowserPath() === undefined && NO_BROWSER;
  const results = await tap.test(file, { timeout: TIMEOUT_MS, skip }, async (subtest) => {
    subtest.parser.on('line', (/** @type {string} */ line) => lines.push(line));
    subtests.set(url, subtest);
    await import(url);
  });
  const wall = ((performance.now() - started) / 1000).toFixed(1);
  const { user, system } = process.cpuUsage(before);
  const cpu = ((user + system) / 1e6).toFixed(1);
  const isOk = skip !== false || results?.ok === true;
  console.error(
    `  ${skip ? 'skipped' : isOk ? 'ok' : 'NOT OK'}  ${file}  ${wall} s, ${cpu} s of a processor`,
  );
  if (!isOk) console.error(lines.filter((line) => !/^\s*ok \d/.test(line)).join(''));
}

/**
 * Takes back what a file has left in the global object: tests of the client put a browser's there.
 *
 * @param {Record<string, PropertyDescriptor>} former
 */
function restoreGlobals(former) {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
    const before = former[name];
    if (before === undefined) Reflect.deleteProperty(globalThis, name);
    else if (property.configurable && (before.value !== property.value || before.get !== property.get))
      Object.defineProperty(globalThis, name, before);
  }
}

/** @param {string} mark @returns {boolean} whether no other worker has taken it */
function take(mark) {
  try {
    closeSync(openSync(mark, 'wx'));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
