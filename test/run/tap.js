import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sourceHash } from '../../server/launch/build.js';
import { runShowingOneLine } from '../../server/launch/one-line.js';
import { LONG } from './long.js';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

const TAP = join('node_modules', 'tap', 'dist', 'esm', 'run.mjs');
const TEST_FILE = /\.test\.tsx?$/;
const NOT_TESTS = new Set(['run', 'support']);
/** The line in which tap sums up, `# { total: 7, pass: 5, fail: 1, skip: 1 }`. */
const SUMMARY = /^# \{ total: \d/;

/**
 * Has tap assemble its test class from the plugins that .taprc names, when it has not done so here. Until then it
 * loads its own TypeScript plugin, which the compiler in use breaks.
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
 * Paths of the test files whose path contains one of the words; without words, of all but the long ones.
 *
 * @param {string} root folder of the checkout
 * @param {readonly string[]} words
 * @returns {string[]} below root, sorted
 */
export function testFiles(root, words) {
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
  if (words.length === 0) return files.filter((file) => !LONG.includes(file));
  return files.filter((file) => words.some((word) => file.includes(word)));
}

/**
 * Runs test files, printing a line for each that passes and everything about each that does not.
 *
 * @param {string} node path of the Node to run them with
 * @param {string[]} files
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<Counts>} counts of assertions
 */
export async function runTap(node, files, { cwd, env }) {
  const child = spawn(node, [join(cwd, TAP), 'run', '--reporter=tap', ...files], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('close', resolve));
  let summary = '';
  /** @type {string[]} */
  let block = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (SUMMARY.test(line)) summary = line;
    if (/^(not )?ok \d/.test(line)) {
      console.log(line.startsWith('ok') ? line.replace(/^ok \d+ - /, '  ok  ') : [...block, line].join('\n'));
      block = [];
    } else if (!/^\s+ok \d/.test(line)) block.push(line);
  }
  return countsOf(summary, await exited);
}

/**
 * A run that ends badly without counting a failure has failed once.
 *
 * @param {string} summary
 * @param {unknown} exitCode
 * @returns {Counts}
 */
export function countsOf(summary, exitCode) {
  const count = (/** @type {string} */ name) =>
    Number(new RegExp(`\\b${name}: (\\d+)`).exec(summary)?.[1] ?? 0);
  const failed = count('fail');
  return {
    passed: count('pass'),
    failed: exitCode === 0 ? failed : Math.max(failed, 1),
    skipped: count('skip') + count('todo'),
  };
}
