/**
 * `npm run test:mutants`: plants faults one by one in copies of the checkout and runs the tests that must catch them; with
 * words as arguments, those alone whose file, tests or reason hold one of the words. Ends with 1 when a fault stays
 * unseen or its text is no longer there.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildIfStale } from '../../server/launch/build.js';
import { installMissing } from '../../server/launch/install.js';
import { packageEnvironment, pinnedNode } from '../../server/launch/node.js';
import { checks } from '../conformance/checks.ts';
import { assembleTap, runTap } from '../run/tap.js';
import { runServer } from '../support/database-server.ts';
import { type Fault, planted, problemsOf } from './fault.ts';
import { FAULTS } from './faults.ts';
import { scratchCopy } from './scratch.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Timeout of a test file in seconds, because a fault may keep it from ending. */
const TAP_TIMEOUT = '300';
/** Copies in which faults are planted at the same time. */
const COPIES = Math.min(4, availableParallelism());

const words = process.argv.slice(2);
const faults = FAULTS.filter(
  ({ file, tests = [], why }) =>
    words.length === 0 || words.some((word) => [file, ...tests, why].some((text) => text.includes(word))),
);

const ids = checks.map(({ id }) => id);
const lost = faults.flatMap((fault) => problemsOf(root, fault, ids));
if (faults.length === 0) lost.push(`No fault has to do with ${words.join(' or ')}.`);
if (lost.length > 0) {
  console.error(lost.join('\n'));
  process.exit(1);
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

/** What must detect a fault. */
type Tests = Required<Pick<Fault, 'tests' | 'checks'>>;
/** Result of a fault. `by`: the first failed case or check. */
type Outcome = { fault: Fault; caught: boolean; by: string };

const node = pinnedNode(root);
const env = packageEnvironment(root);
await installMissing(root, { dev: true });
await assembleTap(root, node, env);
await buildIfStale(root);
const { url: TEST_DATABASE_URL } = await runServer();
const copies = Array.from({ length: Math.min(COPIES, faults.length) }, () => scratchCopy(root));
try {
  process.exitCode = await report(copies.map(({ folder }) => folder));
} finally {
  for (const { remove } of copies) remove();
}

async function report(folders: readonly string[]): Promise<number> {
  const all = {
    tests: [...new Set(faults.flatMap(({ tests = [] }) => tests))].sort(),
    checks: [...new Set(faults.flatMap(({ checks = [] }) => checks))].sort(),
  };
  console.log(
    `${faults.length} faults, ${all.tests.length} test files, ${all.checks.length} checks; first without a fault`,
  );
  const { failed, output } = await run(folders[0] ?? root, all);
  if (stopping.signal.aborted) return 130;
  if (failed) {
    console.error(`${output}\nTests fail without any fault, so faults cannot be tested.`);
    return 1;
  }
  const outcomes: Outcome[] = [];
  const waiting = [...faults];
  await Promise.all(
    folders.map(async (folder) => {
      for (let fault = waiting.shift(); fault && !stopping.signal.aborted; fault = waiting.shift()) {
        const started = performance.now();
        const outcome = await plant(folder, fault);
        if (stopping.signal.aborted) return;
        outcomes.push(outcome);
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        const state = outcome.caught ? 'caught' : 'MISSED';
        console.log(
          `${outcomes.length}/${faults.length} ${state} ${seconds} s  ${fault.file}: ${fault.why}\n      ${outcome.by}`,
        );
      }
    }),
  );
  if (stopping.signal.aborted) return 130;
  const missed = outcomes.filter(({ caught }) => !caught);
  console.log(`\n${outcomes.length - missed.length} caught, ${missed.length} missed`);
  for (const { fault } of missed) console.log(`  ${fault.file}: ${fault.why}`);
  return missed.length === 0 ? 0 : 1;
}

async function plant(folder: string, fault: Fault): Promise<Outcome> {
  const path = join(folder, fault.file);
  const content = readFileSync(path, 'utf8');
  writeFileSync(path, planted(content, fault));
  const { tests = [], checks = [] } = fault;
  try {
    const { failed, output } = await run(folder, { tests, checks });
    return { fault, caught: failed, by: failed ? firstFailed(output) : [...tests, ...checks].join(' ') };
  } finally {
    writeFileSync(path, content);
  }
}

async function run(folder: string, { tests, checks }: Tests): Promise<{ failed: boolean; output: string }> {
  const checked = checks.length > 0 ? await runChecks(folder, checks) : { failed: false, output: '' };
  if (checked.failed || tests.length === 0) return checked;
  const { code, text } = await runTap(node, tests, {
    cwd: folder,
    env: { ...env, TEST_DATABASE_URL, TAP_TIMEOUT },
    output: 'pipe',
    signal: stopping.signal,
  });
  return { failed: code !== 0, output: text };
}

async function runChecks(
  folder: string,
  checks: readonly string[],
): Promise<{ failed: boolean; output: string }> {
  const args = [join(folder, 'test/conformance/run.ts'), ...checks.flatMap((id) => ['--only', id])];
  return promisify(execFile)(node, args, { cwd: folder, env, signal: stopping.signal }).then(
    ({ stdout }) => ({ failed: false, output: stdout }),
    ({ stdout, stderr }) => ({ failed: true, output: `${stdout}${stderr}` }),
  );
}

/** Title of the first failed case or check, or of the file if no case has failed. */
function firstFailed(output: string): string {
  const [, title] = /^(?: *not ok \d+ - (.+) # time=| *✗ (.+)$)/m.exec(output)?.filter(Boolean) ?? [];
  return title ?? 'broke off';
}
