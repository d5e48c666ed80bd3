import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Starts one throw-away PostgreSQL for all tests.
 *
 * @param {string} root folder of the checkout
 * @param {string} node path of the Node to run it with
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 * @throws an error when it does not start
 */
export async function serveDatabase(root, node) {
  const child = spawn(node, [join(root, 'test', 'support', 'serve-database.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [url] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  if (typeof url !== 'string') throw new Error('The test database did not start.');
  return {
    url,
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
