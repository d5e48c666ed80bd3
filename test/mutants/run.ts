/**
 * `npm run test:mutants`: plants faults one by one in a copy of the checkout and runs the tests that must catch them; with
 * words as arguments, those alone whose file, tests or reason hold one of the words. Ends with 1 when a fault stays
 * unseen or its text is no longer there.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from '../../server/launch/build.js';
import { installMissing } from '../../server/launch/install.js';
import { packageEnvironment, pinnedNode } from '../../server/launch/node.js';
import { assembleTap, runTap } from '../run/tap.js';
import { runServer } from '../support/database-server.ts';
import { type Fault, planted } from './fault.ts';
import { FAULTS } from './faults.ts';
import { scratchCopy } from './scratch.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Timeout of a test file in seconds, because a fault may keep it from ending. */
const TAP_TIMEOUT = '120';

const words = process.argv.slice(2);
const faults = FAULTS.filter(
  ({ file, tests, why }) =>
    words.length === 0 || words.some((word) => [file, ...tests, why].some((text) => text.includes(word))),
);

const lost = faults.flatMap(placeLost);
if (faults.length === 0) lost.push(`No fault has to do with ${words.join(' or ')}.`);
if (lost.length > 0) {
  console.error(lost.join('\n'));
  process.exit(1);
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

/** Result of a fault. `by`: the first failed case. */
type Outcome = { fault: Fault; caught: boolean; by: string };

const node = pinnedNode(root);
const env = packageEnvironment(root);
await installMissing(root, { dev: true });
await assembleTap(root, node, env);
await buildIfStale(root);
const { url: TEST_DATABASE_URL } = await runServer();
const copy = scratchCopy(root);
try {
  process.exitCode = await report(copy.folder);
} finally {
  copy.remove();
}

async function report(folder: string): Promise<number> {
  const files = [...new Set(faults.flatMap(({ tests }) => tests))].sort();
  console.log(`${faults.length} faults, ${files.length} test files; first without a fault`);
  const { failed, output } = await run(folder, files);
  if (stopping.signal.aborted) return 130;
  if (failed) {
    console.error(`${output}\nTests fail without any fault, so faults cannot be tested.`);
    return 1;
  }
  const outcomes: Outcome[] = [];
  for (const [index, fault] of faults.entries()) {
    const started = performance.now();
    const outcome = await plant(folder, fault);
    if (stopping.signal.aborted) return 130;
    outcomes.push(outcome);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const state = outcome.caught ? 'caught' : 'MISSED';
    console.log(`${index + 1}/${faults.length} ${state} ${seconds} s  ${fault.file}: ${fault.why}`);
    console.log(`      ${outcome.by}`);
  }
  const missed = outcomes.filter(({ caught }) => !caught);
  console.log(`\n${outcomes.length - missed.length} caught, ${missed.length} missed`);
  for (const { fault } of missed) console.log(`  ${fault.file}: ${fault.why}`);
  return missed.length === 0 ? 0 : 1;
}

/** Error if a fault cannot be planted, because its code or tests have changed. */
function placeLost(fault: Fault): string[] {
  try {
    planted(readFileSync(join(root, fault.file), 'utf8'), fault);
  } catch (error) {
    return [String(error)];
  }
  return fault.tests
    .filter((test) => !existsSync(join(root, test)))
    .map((test) => `${fault.file}: ${test} does not exist`);
}

async function plant(folder: string, fault: Fault): Promise<Outcome> {
  const path = join(folder, fault.file);
  const content = readFileSync(path, 'utf8');
  writeFileSync(path, planted(content, fault));
  try {
    const { failed, output } = await run(folder, fault.tests);
    return { fault, caught: failed, by: failed ? firstFailed(output) : fault.tests.join(' ') };
  } finally {
    writeFileSync(path, content);
  }
}

async function run(folder: string, files: readonly string[]): Promise<{ failed: boolean; output: string }> {
  const { code, text } = await runTap(node, files, {
    cwd: folder,
    env: { ...env, TEST_DATABASE_URL, TAP_TIMEOUT },
    output: 'pipe',
    signal: stopping.signal,
  });
  return { failed: code !== 0, output: text };
}

/** Title of the first failed case, or of the file if no case has failed. */
function firstFailed(output: string): string {
  const [, title] = /^ *not ok \d+ - (.+) # time=/m.exec(output) ?? [];
  return title ?? 'broke off';
}
