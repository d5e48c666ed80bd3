/**
 * `npm start`: installs what is missing, builds the web client if it is stale, and runs the product in the
 * foreground. `npm run dev` (`--dev`) builds nothing: Vite serves the web client from its sources, and the program starts
 * again when a module of its own changes. Plain JavaScript that an older Node can run before any package is there.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build.js';
import { installMissing } from './install.js';
import { pinnedNode } from './node.js';
import { runProgram } from './run-program.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

try {
  await installMissing(root);
  const isDevelopment = process.argv.includes('--dev');
  if (!isDevelopment) await buildIfStale(root);
  process.exitCode = await runProgram(pinnedNode(root), [
    ...(isDevelopment ? ['--watch', '--watch-preserve-output'] : []),
    join(root, 'server', 'main.ts'),
    ...process.argv.slice(2),
  ]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
