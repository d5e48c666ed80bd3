import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const EMBEDDED = 'serve-database.ts';
/** Like in production: over TCP, with a password, TLS and a language-specific collation. */
const SERVER = 'serve-postgres.ts';

/**
 * Starts a temporary PostgreSQL for all tests.
 *
 * @param {string} root folder of the checkout
 * @param {string} node path of the Node to run it with
 * @param {{ ofOperators: boolean }} which the product's own, or a server as operators have one
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 * @throws an error when it does not start
 */
export async function serveDatabase(root, node, { ofOperators }) {
  const child = spawn(node, [join(root, 'test', 'support', ofOperators ? SERVER : EMBEDDED)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  if (typeof line !== 'string') throw new Error('The test database did not start.');
  return {
    url: ofOperators ? JSON.parse(line).url : line,
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
