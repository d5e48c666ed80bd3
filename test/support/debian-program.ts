import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs of system services lie where only root's PATH leads. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin'];

function installed(names: readonly string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_FOLDERS];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/**
 * A program that tests need: one that is installed, or, as root on Debian, installed now from its package. Undefined
 * where there is none.
 */
export function debianProgram(names: readonly string[], ...packages: string[]): string | undefined {
  return installed(names) ?? install(names, packages);
}

function install(names: readonly string[], packages: readonly string[]): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) => spawnSync('apt-get', args, { env, stdio: 'ignore' });
  // Beside the report, which stdout is.
  console.error(`Tests need ${packages.join(' and ')}: installing with apt-get …`);
  apt('update', '-q');
  /** Another test file may be about the same. */
  apt('install', '-y', '-q', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', ...packages);
  return installed(names);
}
