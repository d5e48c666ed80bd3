/**
 * `npm test`, `npm run test:e2e` and `npm run test:system`: installs and builds what is missing and lets tap run the files of a
 * suite, `npm test` after types, lint and language packs; with words as arguments only the files of all suites whose path
 * contains one of them. A failing step does not hide later ones.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../server/launch/build.js';
import { installMissing } from '../server/launch/install.js';
import { packageEnvironment, pinnedNode } from '../server/launch/node.js';
import { serveOperatorsDatabase } from './run/database.js';
import { testFiles } from './run/suites.js';
import { assembleTap, runTap } from './run/tap.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const env = packageEnvironment(root);
const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    suite: { type: 'string', default: 'unit' },
    /** A skipped case fails the run. */
    strict: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    /** On a PostgreSQL server as operators have one. */
    postgres: { type: 'boolean', default: false },
  },
});
const { suite, strict, coverage } = options;

/** V8 counts the lines of cached code wrongly. */
const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'plugin-square') };
const COVERAGE = ['--no-disable-coverage', '--allow-incomplete-coverage', '--coverage-report=text-summary'];

/** @type {Record<string, () => Promise<void>>} */
const PREPARATIONS = {
  Packages: () => installMissing(root, { dev: true }),
  'Test runner': () => assembleTap(root, pinnedNode(root), env),
  'Web client': () => buildIfStale(root),
};
/** @type {Record<string, () => Promise<void>>} */
const CHECKS = { 'Types, lint and language packs': async () => program('npm', 'run', '--silent', 'check') };
const steps = {
  ...PREPARATIONS,
  ...(suite === 'unit' && words.length === 0 && CHECKS),
  Tests: tests,
};

for (const [title, run] of Object.entries(steps)) {
  const started = performance.now();
  console.log(`\n== ${title}`);
  const outcome = await run().then(
    () => 'ok',
    (/** @type {unknown} */ error) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
      return 'FAILED';
    },
  );
  console.log(`-- ${title}: ${outcome}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

async function tests() {
  const node = pinnedNode(root);
  const files = testFiles(root, { suite, words });
  const database = options.postgres ? await serveOperatorsDatabase(root, node) : undefined;
  try {
    const { code } = await runTap(node, files, {
      cwd: root,
      env: {
        ...(!coverage && COMPILE_CACHE),
        ...env,
        ...(database && { TEST_DATABASE_URL: database.url }),
      },
      args: [...(strict ? ['--fail-skip'] : []), ...(coverage ? COVERAGE : [])],
      // Programs that are killed, full disks and stopped clocks are no neighbours for other tests.
      isApart: suite === 'system',
    });
    if (code !== 0) throw new Error('Tests failed.');
  } finally {
    await database?.stop();
  }
}

/** @param {string} name @param {string[]} args */
function program(name, ...args) {
  const { status, error } = spawnSync(name, args, { cwd: root, env, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} failed.`);
}
