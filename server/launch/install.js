import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runShowingOneLine } from './one-line.js';

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, link?: boolean }} Locked
 * One package of a lock file.
 */

/** What the lock file says, without touching it; `npm ci` would refuse a lock file made on another platform. */
const INSTALL = ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs what the lock file asks for and `node_modules` lacks; does nothing when nothing is missing. An install that
 * broke off, which npm has not recorded, is begun again. Plain JavaScript of Node 20 without a package: it runs
 * before there are any.
 *
 * @param {string} root folder of the checkout
 * @returns {Promise<void>}
 * @throws an error with one line to show when npm fails
 */
export async function installMissing(root) {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  const missing = missingPackages(readPackages(join(root, 'package-lock.json')) ?? {}, installed);
  const pinned =
    installed?.['node_modules/node'] === undefined || existsSync(join(root, 'node_modules/.bin/node'));
  if (missing.length === 0 && pinned) return;
  if (!installed || !pinned) rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  const [program, ...first] = npm();
  await runShowingOneLine('Installing packages', program, [...first, ...INSTALL], { cwd: root });
}

/**
 * Paths of the packages that must be there and are not, or are there in another version. A production install, one
 * without any development package, is complete without them; packages of other platforms are never missed.
 *
 * @param {Record<string, Locked>} wanted packages of package-lock.json by path
 * @param {Record<string, Locked> | undefined} installed packages that npm recorded in node_modules
 * @returns {string[]}
 */
export function missingPackages(wanted, installed) {
  const production = installed !== undefined && !Object.values(installed).some(({ dev }) => dev);
  return Object.entries(wanted)
    .filter(([path, { optional, devOptional, dev }]) => {
      if (path === '' || optional || (production && (dev || devOptional))) return false;
      return installed?.[path]?.version !== wanted[path]?.version;
    })
    .map(([path]) => path);
}

/**
 * @param {string} file a lock file of npm
 * @returns {Record<string, Locked> | undefined}
 */
function readPackages(file) {
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/** @returns {[string, ...string[]]} the npm that started us, else the one in PATH */
function npm() {
  const script = process.env.npm_execpath ?? '';
  return script.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm'];
}
