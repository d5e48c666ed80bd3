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

/**
 * Decoding pictures takes and frees large pieces from several threads, which glibc otherwise keeps: 240 MB instead of
 * 135 after 48 large ones.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

/**
 * V8 lets young objects take 64 MB before it looks which of them are needed, and all buffers that they hold are kept
 * meanwhile: 620 MB under load. With 16 MB it is 350; calls pass as fast, cached responses a twentieth slower.
 */
const YOUNG_GENERATION = { NODE_OPTIONS: '--max-semi-space-size=16' };

/**
 * The environment of the program: compiled modules are kept beside the packages, so that a later start neither erases
 * types nor compiles again (it takes half the time, and 20 MB less for good). What the operator has set holds.
 *
 * @param {string} root folder of the checkout
 * @param {NodeJS.ProcessEnv} given
 * @returns {NodeJS.ProcessEnv}
 */
export function programEnvironment(root, given = process.env) {
  return {
    ...ALLOCATOR,
    ...YOUNG_GENERATION,
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'plugin-square'),
    ...given,
  };
}
