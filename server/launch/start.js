/**
 * `npm start`: installs missing packages, builds the web client if it is out of date, and runs the product in the
 * foreground. `npm run dev` (`--dev`) builds nothing: it runs the development server. `--inspect` and its variants attach a
 * debugger to the services. Plain JavaScript for older versions of Node, because it runs before packages are installed.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build.js';
import { installMissing, provideNode } from './install.js';
import { pinnedNode } from './node.js';
import { runProgram } from './run-program.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

try {
  await installMissing(root);
  await provideNode(root);
  const isDevelopment = process.argv.includes('--dev');
  const inspect = process.argv.filter((argument) => argument.startsWith('--inspect'));
  if (!isDevelopment) await buildIfStale(root);
  process.exitCode = await runProgram(
    pinnedNode(root),
    isDevelopment
      ? [join(root, 'server', 'development', 'main.ts'), ...inspect]
      : [...inspect, join(root, 'server', 'main.ts')],
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
