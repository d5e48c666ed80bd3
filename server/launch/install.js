import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runShowingOneLine } from './one-line.js';

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, link?: boolean }} Locked
 * One package of a lock file.
 */

/** Installs the packages of the lock file without changing it; `npm ci` would refuse a lock file of another platform. */
const INSTALL = ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs the packages of the lock file that `node_modules` lacks. An interrupted installation,
 * which npm has not recorded, is repeated. Plain JavaScript for Node 20 without packages, because it runs
 * before they are installed.
 *
 * @param {string} root folder of the checkout
 * @returns {Promise<void>}
 * @throws an error with a one-line message when npm fails
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
 * Paths of the packages that are missing or have another version. A production installation, which is one
 * without any development package, is complete without them; packages of other platforms are never missing.
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

/** @returns {[string, ...string[]]} the npm that started this process, else the one in PATH */
function npm() {
  const script = process.env.npm_execpath ?? '';
  return script.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm'];
}
