import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { runShowingOneLine } from '../../server/launch/one-line.js';

/** Chromium without a window, which saves a third of the time. */
const SHELL_NAMES = ['chromium-headless-shell', 'chrome-headless-shell'];
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const FONTS = 'fonts-noto-cjk';
/** Debian packages in order of preference; older releases only have the second one. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];
const APT_ENV = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };

/**
 * The browser for browser tests: CHROME_PATH, or an installed one, or, as root on Debian, one that is installed now.
 *
 * @returns {Promise<string>} its path
 * @throws an error that says what to install
 */
export async function findBrowser() {
  const given = process.env.CHROME_PATH;
  if (given !== undefined) {
    if (isProgram(given)) return given;
    throw new Error(`CHROME_PATH is ${given}, which is no program.`);
  }
  const found = installed(SHELL_NAMES) ?? (await fromDebian()) ?? installed(NAMES);
  if (found) return found;
  throw new Error(
    'The browser tests need Chromium or Chrome. Install it (Debian, Ubuntu: apt-get install ' +
      `${PACKAGES[0]} ${FONTS}), or set CHROME_PATH to the program of one that you have.`,
  );
}

/** @returns {Promise<string | undefined>} */
async function fromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  try {
    await apt('Reading the package lists', 'update', '-q');
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    return undefined;
  }
  for (const name of PACKAGES) {
    const path = installed([name]);
    if (path) return path;
    await apt(`Installing ${name}`, 'install', '-y', '-q', '--no-install-recommends', name, FONTS).catch(
      (/** @type {Error} */ { message }) => console.log(message),
    );
    const now = installed([name]);
    if (now) return now;
  }
  return undefined;
}

/**
 * @param {string} title
 * @param {string[]} args
 */
function apt(title, ...args) {
  return runShowingOneLine(title, 'apt-get', args, { cwd: '/', env: APT_ENV });
}

/**
 * @param {readonly string[]} names names or whole paths
 * @returns {string | undefined}
 */
function installed(names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => resolve(folder, name)))
    .find((path) => isProgram(path) && answers(path));
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Ubuntu's /usr/bin/chromium-browser is there without the browser; it ends with an error. @param {string} path */
function answers(path) {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
}
