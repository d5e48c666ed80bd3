import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceHash } from '../../server/launch/build.js';
import { runStep } from '../../server/launch/run-step.js';

const TAP = join('node_modules', 'tap', 'dist', 'esm', 'run.mjs');
const BUILT = ['esm', 'commonjs'].map((kind) => `node_modules/@tapjs/test/test-built/dist/${kind}`);
const REPORTER = './test/run/summary.js';
const JOBS = 3;

/**
 * Lets tap build its test class from the plugins in .taprc, if it has not done so yet, or if the files differ from what it
 * made: a later build that was interrupted leaves only some of them. Its default class has a TypeScript plugin that does not
 * work with the installed compiler.
 *
 * @param {string} root folder of the checkout; the class refers to it
 * @param {string} node path of the Node to run tap with
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<void>}
 * @throws an error that ends with tap's last lines when it fails
 */
export async function assembleTap(root, node, env) {
  const stamp = join(root, 'node_modules', '.tap-assembled-from');
  const sources = sourceHash(root, ['.taprc', 'test/run/test-files', 'node_modules/tap/package.json']);
  const assembled = () => `${root}\n${sources}\n${sourceHash(root, BUILT)}\n`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === assembled()) return;
  await runStep('Preparing tap', node, [join(root, TAP), 'build'], { cwd: root, env });
  writeFileSync(stamp, assembled());
}

/**
 * Runs test files with tap. A few processes share them (worker.js), or each file has its own.
 *
 * @param {string} node path of the Node to run them with
 * @param {readonly string[]} files below `cwd`
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, args?: readonly string[], isApart?: boolean, signal?: AbortSignal,
 *   output?: 'inherit' | 'pipe' }} options `isApart`: a process for each file; `args`: more of tap's; `signal` ends the run
 * @returns {Promise<{ code: number, text: string }>} tap's exit code, and what was printed if `output` is a pipe
 */
export async function runTap(
  node,
  files,
  { cwd, env, args = [], isApart = false, signal, output = 'inherit' },
) {
  mkdirSync(join(cwd, '.tap'), { recursive: true });
  const queue = mkdtempSync(join(cwd, '.tap', 'queue-'));
  try {
    writeFileSync(join(queue, 'files'), files.join('\n'));
    const workers = Array.from(
      { length: isApart ? files.length : Math.min(JOBS, files.length) },
      (_, index) => worker(queue, { number: index + 1, most: isApart ? 1 : files.length }),
    );
    const child = spawn(
      node,
      [join(cwd, TAP), 'run', `--reporter=${REPORTER}`, `--jobs=${JOBS}`, ...args, ...workers],
      { cwd, env, stdio: ['ignore', output, output], ...(signal && { signal }) },
    );
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (/** @type {string} */ part) => {
        text += part;
      });
    }
    // An abort has an event too; the run is over at its end.
    child.once('error', (error) => {
      if (!signal?.aborted) throw error;
    });
    const code = await new Promise((resolve) => child.once('close', (status) => resolve(status ?? 1)));
    return { code, text };
  } finally {
    rmSync(queue, { recursive: true, force: true });
  }
}

/**
 * @param {string} queue
 * @param {{ number: number, most: number }} which
 * @returns {string} path of a file that works on the queue
 */
function worker(queue, { number, most }) {
  const path = join(queue, `worker-${number}.mjs`);
  const folder = JSON.stringify(queue);
  writeFileSync(path, `import { work } from '../../test/run/worker.js';\nawait work(${folder}, ${most});\n`);
  return path;
}
