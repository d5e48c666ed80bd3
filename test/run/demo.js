import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** Tests that start with the demo catalogue, mostly browser tests; it is created once for all of them. */
const WANTS_DEMO = /e2e|search\/relevance/;

/**
 * Creates the demo catalogue if any of `files` starts with it.
 *
 * @param {string} root folder of the checkout
 * @param {string} node path of the Node to make it with
 * @param {{ files: readonly string[], serverUrl: string }} run
 * @returns {{ env: Record<string, string>, remove: () => void }} environment of the tests
 * @throws an error when it cannot be made
 */
export function makeDemo(root, node, { files, serverUrl }) {
  if (!files.some((file) => WANTS_DEMO.test(file))) return { env: {}, remove: () => undefined };
  const program = join(root, 'test', 'support', 'make-demo.ts');
  const { status, stdout } = spawnSync(node, [program, serverUrl], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('The demo catalogue of the tests could not be made.');
  /** @type {{ database: string, dataDir: string }} */
  const { database, dataDir } = JSON.parse(stdout);
  return {
    env: { TEST_DEMO_DATABASE: database, TEST_DEMO_FILES: dataDir },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}
