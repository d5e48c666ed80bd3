import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const SHOWN_LINES = 30;

/**
 * Runs a program and says how long it took; its output is only shown if it fails.
 *
 * @param {string} title description of the step
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<void>}
 * @throws an error that ends with the program's last lines when it does not exit with 0
 */
export async function runStep(title, program, args, { cwd, env = process.env }) {
  const started = performance.now();
  process.stdout.write(`${title} …`);
  const { code, output } = await run(program, args, { cwd, env });
  process.stdout.write(` ${Math.round((performance.now() - started) / 1000)} s\n`);
  if (code === 0) return;
  const tail = output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
  throw new Error(`${title} failed (exit code ${code}):\n${tail}`);
}

/**
 * A signal that ends this process also ends the program.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ code: number, output: string }>}
 */
function run(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const end = (/** @type {NodeJS.Signals} */ signal) => {
      child.kill('SIGTERM');
      process.exit(128 + constants.signals[signal]);
    };
    for (const signal of SIGNALS) process.once(signal, end);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      for (const signal of SIGNALS) process.off(signal, end);
      resolve({ code: code ?? 1, output });
    });
  });
}
