import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs of system services are only in the PATH of root. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin'];

/** Path of the first of these programs that is installed. */
export function installedProgram(...names: readonly string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_FOLDERS];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Why a case is skipped; the last lines of a run tell it once for all of them. `packages` are those of Debian and Ubuntu. */
export function notInstalled(name: string, ...packages: readonly string[]): string {
  return `${name} is not installed (apt-get install ${packages.join(' ')})`;
}
