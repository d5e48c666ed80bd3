import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isNewEnough, pinnedPath } from './node.js';
import { runStep } from './run-step.js';

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, link?: boolean }} Locked
 * One package of a lock file.
 */

/** Installs the packages of the lock file without changing it; `npm ci` would refuse a lock file of another platform. */
const INSTALL = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs the packages of the lock file that `node_modules` lacks: those that running and building need, and those for
 * tests and checks (`dev`) if they are wanted or others of them are there. An interrupted installation, which npm has not
 * recorded, is repeated. Plain JavaScript for Node 20 without packages, because it runs before they are installed.
 *
 * @param {string} root folder of the checkout
 * @param {{ dev?: boolean }} [which]
 * @returns {Promise<void>}
 * @throws an error with a one-line message when npm fails
 */
export async function installMissing(root, { dev = false } = {}) {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  const withDev = dev || Object.values(installed ?? {}).some((locked) => locked.dev);
  const missing = missingPackages(readPackages(join(root, 'package-lock.json')) ?? {}, installed, {
    dev: withDev,
  });
  const pinned =
    installed?.['node_modules/node'] === undefined || existsSync(join(root, 'node_modules/.bin/node'));
  if (missing.length === 0 && pinned) return;
  if (!installed || !pinned) rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  await install(root, 'Installing packages', [withDev ? '--include=dev' : '--omit=dev']);
}

/** Header files for compiling add-ons; a third of the package. */
const HEADERS = join(
  'node_modules',
  'node',
  'node_modules',
  `node-${process.platform}-${process.arch}`,
  'include',
);

/**
 * Installs the Node of package.json beside the packages if the running one is too old and the packages for tests, which
 * have one, are not installed. Scripts of npm find it as well.
 *
 * @param {string} root folder of the checkout
 * @param {string} [running] version of the running Node
 * @returns {Promise<void>}
 * @throws an error with a one-line message when npm fails
 */
export async function provideNode(root, running = process.versions.node) {
  const path = pinnedPath(root);
  if (isNewEnough(running) || existsSync(path)) return;
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folder = join(root, 'node_modules', '.node');
  const node = `node@${devDependencies.node}`;
  await install(root, `Installing Node ${devDependencies.node}`, ['--prefix', folder, node]);
  rmSync(join(folder, HEADERS), { recursive: true, force: true });
  rmSync(path, { force: true });
  symlinkSync(relative(dirname(path), join(folder, 'node_modules', 'node', 'bin', 'node')), path);
}

/**
 * @param {string} root
 * @param {string} title
 * @param {string[]} args
 * @returns {Promise<void>}
 */
async function install(root, title, args) {
  const [program, ...first] = npm();
  await runStep(title, program, [...first, ...INSTALL, ...args], { cwd: root });
}

/**
 * Paths of the packages that are missing or have another version; packages of other platforms are never missing.
 *
 * @param {Record<string, Locked>} wanted packages of package-lock.json by path
 * @param {Record<string, Locked> | undefined} installed packages that npm recorded in node_modules
 * @param {{ dev: boolean }} which whether packages for tests and checks are wanted
 * @returns {string[]}
 */
export function missingPackages(wanted, installed, { dev: withDev }) {
  return Object.entries(wanted)
    .filter(([path, { optional, devOptional, dev }]) => {
      if (path === '' || optional || (!withDev && (dev || devOptional))) return false;
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
