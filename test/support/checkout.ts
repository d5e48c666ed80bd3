import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['web', 'shared', 'packages', 'server', 'demo', 'locales'];
const SOURCES = [...FOLDERS, 'package.json', 'package-lock.json', 'tsconfig.base.json'];

/** A separate checkout with the packages of this one, until the test ends. @returns its folder */
export async function createCheckout(t: Test): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'plugin-square-checkout-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  const isSource = (path: string): boolean => path !== join(ROOT, 'web/dist');
  for (const name of SOURCES) {
    await cp(join(ROOT, name), join(root, name), { recursive: true, filter: isSource });
  }
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}
