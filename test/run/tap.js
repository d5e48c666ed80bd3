import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sourceHash } from '../../server/launch/build.js';
import { runShowingOneLine } from '../../server/launch/one-line.js';
import { isApart, isLong } from './long.js';

/**
 * Cases by result. `unsteady`: failed in a first run and passed in a second.
 *
 * @typedef {{ passed: number, failed: number, skipped: number, unsteady: number }} Counts
 */

const TAP = join('node_modules', 'tap', 'dist', 'esm', 'run.mjs');
const TEST_FILE = /\.test\.tsx?$/;
const NOT_TESTS = new Set(['run', 'support']);

/**
 * Lets tap build its test class from the plugins in .taprc, if it has not done so yet. Without that it
 * loads its TypeScript plugin, which does not work with the installed compiler.
 *
 * @param {string} root folder of the checkout; the class refers to it
 * @param {string} node path of the Node to run tap with
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<void>}
 * @throws an error that ends with tap's last lines when it fails
 */
export async function assembleTap(root, node, env) {
  const stamp = join(root, 'node_modules', '.tap-assembled-from');
  const hash = `${root}\n${sourceHash(root, ['.taprc', 'node_modules/tap/package.json'])}\n`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  await runShowingOneLine('Preparing tap', node, [join(root, TAP), 'build'], { cwd: root, env });
  writeFileSync(stamp, hash);
}

/**
 * Test files whose path contains one of the words; without words, the usual or the long ones.
 *
 * @param {string} root folder of the checkout
 * @param {{ words: readonly string[], long?: boolean }} which
 * @returns {string[]} below root, sorted
 */
export function testFiles(root, { words, long = false }) {
  const below = (/** @type {string} */ folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => filesOf(folder, entry));
  /**
   * @param {string} folder
   * @param {import('node:fs').Dirent} entry
   * @returns {string[]}
   */
  const filesOf = (folder, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_TESTS.has(entry.name) ? [] : below(path);
    return TEST_FILE.test(entry.name) ? [path] : [];
  };
  const files = below('test').sort();
  if (words.length === 0) return files.filter((file) => isLong(file) === long && !isApart(file));
  return files.filter((file) => words.some((word) => file.includes(word)));
}

/**
 * Runs test files, and prints one line for each that passes and the whole output of each that fails.
 *
 * @param {string} node path of the Node to run them with
 * @param {readonly string[]} files
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, args?: readonly string[], print?: (text: string) => void,
 *   signal?: AbortSignal }} options `args`: more of tap's; `signal` ends the run
 * @returns {Promise<Counts>}
 */
export async function runTap(node, files, { cwd, env, args = [], print = console.log, signal }) {
  const child = spawn(node, [join(cwd, TAP), 'run', '--reporter=tap', ...args, ...files], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(signal && { signal }),
  });
  // An abort has an event too; the run is over at its end.
  child.once('error', (error) => {
    if (!signal?.aborted) throw error;
  });
  const exited = new Promise((resolve) => child.once('close', resolve));
  const cases = countCases();
  /** @type {string[]} */
  let block = [];
  for await (const line of createInterface({ input: child.stdout })) {
    cases.read(line);
    if (/^(not )?ok \d/.test(line)) {
      print(line.startsWith('ok') ? line.replace(/^ok \d+ - /, '  ok  ') : [...block, line].join('\n'));
      block = [];
    } else if (SKIPPED.test(line)) print(line.trim());
    else if (!/^\s+ok \d/.test(line)) block.push(line);
  }
  return cases.end(await exited);
}

/** A busy machine disturbs a few files; more failed files have another reason. */
const MOST_AGAIN = 3;

/**
 * Runs test files as `runTap` does, and again those that failed if they are few, without others beside them.
 *
 * @param {string} node path of the Node to run them with
 * @param {readonly string[]} files
 * @param {Parameters<typeof runTap>[2]} options
 * @returns {Promise<Counts>}
 */
export async function runTapTwice(node, files, { args = [], print = console.log, ...options }) {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-square-failed-'));
  const list = join(folder, 'files');
  const run = (/** @type {readonly string[]} */ which, /** @type {string[]} */ ...more) =>
    runTap(node, which, { ...options, print, args: [...args, `--save=${list}`, ...more] });
  try {
    const counts = await run(files);
    const failed = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : [];
    if (counts.failed === 0 || failed.length === 0 || failed.length > MOST_AGAIN) return counts;
    print(`\nOnce more, alone: ${failed.join(', ')}`);
    const again = await run(failed, '--jobs=1');
    return again.failed + again.skipped === 0 ? { ...counts, failed: 0, unsteady: counts.failed } : counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The result of a test instead of an assertion: it has a time, or was skipped. */
const RESULT = /^( *)(not )?ok \d+ .*# (?:time=|(SKIP|TODO))/;
const INDENT = 4;
/** A skipped case with the reason, mostly a missing program. */
const SKIPPED = /^ +ok \d+ .*# SKIP/;

/**
 * Counts the cases of a TAP report: tests without subtests, and files without tests. A test that fails without
 * a failed subtest is counted as a case, and so is a failed run without a failed case.
 */
export function countCases() {
  const counts = { passed: 0, failed: 0, skipped: 0, unsteady: 0 };
  /** Open tests by indent: whether they have subtests, and whether one of these has failed. */
  /** @type {Map<number, { failed: boolean }>} */
  const open = new Map();
  return {
    /** @param {string} line */
    read(line) {
      const found = RESULT.exec(line);
      if (!found) return;
      const [, { length: indent } = '', not, skip] = found;
      const within = open.get(indent);
      open.delete(indent);
      const failed = not !== undefined && skip === undefined;
      const parent = open.get(indent - INDENT);
      open.set(indent - INDENT, { failed: failed || parent?.failed === true });
      if (skip !== undefined) counts.skipped += 1;
      else if (failed && !within?.failed) counts.failed += 1;
      else if (!failed && !within) counts.passed += 1;
    },
    /**
     * @param {unknown} exitCode
     * @returns {Counts}
     */
    end(exitCode) {
      return { ...counts, failed: exitCode === 0 ? counts.failed : Math.max(counts.failed, 1) };
    },
  };
}
