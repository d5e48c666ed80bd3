/**
 * `npm start`: installs what is missing, builds the web client if it is stale, and runs the product in the
 * foreground. Plain JavaScript that an older Node can run before any package is there.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build.js';
import { installMissing } from './install.js';
import { pinnedNode } from './pinned-node.js';
import { runProgram } from './run-program.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

try {
  await installMissing(root);
  await buildIfStale(root);
  process.exitCode = await runProgram(pinnedNode(root), [
    join(root, 'server', 'main.ts'),
    ...process.argv.slice(2),
  ]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
