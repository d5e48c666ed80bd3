import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs of system services are only in the PATH of root. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin'];

function installed(names: readonly string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_FOLDERS];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/**
 * Finds a program for tests, or, as root on Debian, installs its package. Undefined
 * if there is none.
 */
export function debianProgram(names: readonly string[], ...packages: string[]): string | undefined {
  return installed(names) ?? install(names, packages);
}

function install(names: readonly string[], packages: readonly string[]): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) => spawnSync('apt-get', args, { env, stdio: 'ignore' });
  // stdout is the TAP report.
  console.error(`Tests need ${packages.join(' and ')}: installing with apt-get …`);
  apt('update', '-q');
  /** Another test file may be installing it too. */
  apt('install', '-y', '-q', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', ...packages);
  return installed(names);
}
