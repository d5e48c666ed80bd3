import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TEST_FILE = /\.test\.tsx?$/;
const MODULE = /\.tsx?$/;

/** Folders of the suites that have a command of their own, the innermost first. All other files are those of `npm test`. */
const FOLDERS = [
  ['test/e2e/journeys/', 'unit'],
  ['test/e2e/', 'e2e'],
  ['test/system/', 'system'],
  ['test/pictures/', 'pictures'],
];

/** @typedef {'unit' | 'e2e' | 'system' | 'pictures'} Suite */

/**
 * The test files of a suite, or, with words, those of all suites whose path contains one of them. Large ones come first, so that
 * no worker begins a long one at the end; a file is as large as it is with the modules beside it.
 *
 * @param {string} root folder of the checkout
 * @param {{ suite: string, words?: readonly string[] }} which
 * @returns {string[]} paths below root
 * @throws an error when there are none
 */
export function testFiles(root, { suite, words = [] }) {
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => TEST_FILE.test(path))
    .map((path) => `test/${path.replaceAll('\\', '/')}`);
  const isMeant = (/** @type {string} */ file) =>
    words.length === 0 ? suiteOf(file) === suite : words.some((word) => file.includes(word));
  const bytes = (/** @type {string} */ file) => statSync(join(root, file)).size;
  const size = (/** @type {string} */ file) =>
    modulesBeside(root, file).reduce((sum, path) => sum + bytes(path), bytes(file));
  const files = all.filter(isMeant).sort((a, b) => size(b) - size(a));
  if (files.length === 0) throw new Error(`There is no test file of ${words.join(' or ') || suite}.`);
  return files;
}

/** @param {string} root @param {string} file @returns {string[]} paths below root */
function modulesBeside(root, file) {
  const folder = dirname(file);
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && MODULE.test(entry.name) && !TEST_FILE.test(entry.name))
    .map(({ name }) => `${folder}/${name}`);
}

/** @param {string} file below the checkout */
export function suiteOf(file) {
  return FOLDERS.find(([folder]) => folder !== undefined && file.startsWith(folder))?.[1] ?? 'unit';
}
