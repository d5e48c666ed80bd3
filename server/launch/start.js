/**
 * `npm start`: installs missing packages, builds the web client if it is out of date, and runs the product in the
 * foreground. `npm run dev` (`--dev`) builds nothing: Vite serves the web client from its sources, and the program restarts
 * when one of its modules changes. Plain JavaScript for older versions of Node, because it runs before packages are installed.
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
