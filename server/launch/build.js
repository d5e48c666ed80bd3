import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageEnvironment, pinnedNode } from './node.js';
import { runStep } from './run-step.js';

const SOURCES = ['web', 'shared', 'locales', 'package-lock.json'];
const CONFIG = join('web', 'vite.config.ts');
const VITE = join('node_modules', 'vite', 'bin', 'vite.js');
const STAMP = join('web', 'dist', '.built-from');
/** What .gitignore lists, besides hidden files: it is generated, and no source. */
const NOT_SOURCES = /^(?:dist|node_modules|coverage)$|\.(?:d\.json\.ts|tsbuildinfo|log)$/;

/**
 * Builds the web client if its sources have changed since the last build. An installation without the sources of
 * the build, as in an image, keeps its build.
 *
 * @param {string} root folder of the checkout
 * @returns {Promise<void>}
 * @throws an error that ends with the build's last lines when it fails
 */
export async function buildIfStale(root) {
  if (!existsSync(join(root, CONFIG)) || !existsSync(join(root, VITE))) return;
  const hash = sourceHash(root, SOURCES);
  const stamp = join(root, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  await runStep('Building the web client', pinnedNode(root), [VITE, 'build', 'web', '--app'], {
    cwd: root,
    env: packageEnvironment(root),
  });
  writeFileSync(stamp, hash);
}

/**
 * A hash of the names and contents of files and folders, without hidden and generated files.
 *
 * @param {string} root
 * @param {readonly string[]} paths below root; missing ones count as empty
 * @returns {string}
 */
export function sourceHash(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((start) => filesBelow(root, start))) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]} paths of files below root, sorted
 */
function filesBelow(root, path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .filter((name) => !name.startsWith('.') && !NOT_SOURCES.test(name))
    .sort()
    .flatMap((name) => filesBelow(root, join(path, name)));
}
