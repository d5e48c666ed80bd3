import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runShowingOneLine } from '../../server/launch/one-line.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const PACKAGES = ['chromium', 'fonts-noto-cjk'];
const APT_ENV = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };

/**
 * The browser of the browser tests: CHROME_PATH, or one that is installed, or, as root on Debian, one installed now.
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
  const found = installed();
  if (found) return found;
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) throw new Error(whatToInstall());
  await runShowingOneLine('Reading the package lists', 'apt-get', ['update', '-q'], {
    cwd: '/',
    env: APT_ENV,
  });
  const install = ['install', '-y', '-q', '--no-install-recommends', ...PACKAGES];
  await runShowingOneLine('Installing Chromium', 'apt-get', install, { cwd: '/', env: APT_ENV });
  const path = installed();
  if (path) return path;
  throw new Error(whatToInstall());
}

/** @returns {string | undefined} */
function installed() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, MAC_CHROME].find((path) => isProgram(path) && answers(path));
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

function whatToInstall() {
  return (
    'The browser tests need Chromium or Chrome. Install it (Debian, Ubuntu: apt-get install ' +
    `${PACKAGES.join(' ')}), or set CHROME_PATH to the program of one that you have.`
  );
}
