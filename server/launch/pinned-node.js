import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const OLDEST_MAJOR = 24;

/**
 * The Node that runs the product: the one pinned as a development package, whatever the system has; in an install
 * without development packages the running one, if it is new enough.
 *
 * @param {string} root folder of the checkout
 * @param {string} running version of the running Node
 * @returns {string} path of the program
 * @throws an error with one line to show when there is no such Node
 */
export function pinnedNode(root, running = process.versions.node) {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(pinned)) return pinned;
  if (Number.parseInt(running, 10) >= OLDEST_MAJOR) return process.execPath;
  throw new Error(`Node ${OLDEST_MAJOR} or later is needed, and this is Node ${running}.`);
}

/**
 * The environment in which the programs of the packages are found first, the pinned Node among them.
 *
 * @param {string} root folder of the checkout
 * @returns {NodeJS.ProcessEnv}
 */
export function packageEnvironment(root) {
  return { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter) };
}
