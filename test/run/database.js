import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Starts a temporary PostgreSQL as operators have one: over TCP, with a password, TLS and a language-specific collation.
 *
 * @param {string} root folder of the checkout
 * @param {string} node path of the Node to run it with
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 * @throws an error when it does not start
 */
export async function serveOperatorsDatabase(root, node) {
  const child = spawn(node, [join(root, 'test', 'support', 'serve-postgres.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  if (typeof line !== 'string') throw new Error('The test database did not start.');
  return {
    url: JSON.parse(line).url,
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
