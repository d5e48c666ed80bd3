/**
 * Runs the program once while the image is built, has it show its pages, and ends it, so that Node keeps in
 * NODE_COMPILE_CACHE what it has compiled.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const GATEWAY = 'http://127.0.0.1:8080';
const READY = 'http://127.0.0.1:8081/readyz';
const PAGES = ['/plugins/', '/plugins/protocol', '/user/login', '/api/cmt/plugin/list'];

const dataDir = mkdtempSync(join(tmpdir(), 'compile-'));
const program = spawn(process.execPath, ['server/main.ts'], {
  env: { ...process.env, DATA_DIR: dataDir, SEED: 'none', LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const ended = once(program, 'exit');
while (!(await isReady())) {
  if (program.exitCode !== null) throw new Error(`The program ended with ${program.exitCode}.`);
  await delay(100);
}
for (const path of PAGES) await fetch(GATEWAY + path).then((answer) => answer.arrayBuffer());
program.kill('SIGTERM');
const [code] = await ended;
rmSync(dataDir, { recursive: true, force: true });
process.exitCode = code;

/** @returns {Promise<boolean>} */
function isReady() {
  return fetch(READY).then(
    (answer) => answer.ok,
    () => false,
  );
}
