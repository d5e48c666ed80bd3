import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { startError } from '../../database/start-error.ts';

const FILE_NAME = 'admin-password.txt';

/** Where the password of the first administrator is written. */
export function passwordFileIn(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

/**
 * Writes a password to a file that only its owner may read: complete and on the disk, or not at all. The file holds
 * the password and a line end.
 * @throws start error when the folder cannot be written to
 */
export async function writePasswordFile(file: string, dataDir: string, password: string): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.chmod(0o600);
      await handle.writeFile(`${password}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    throw startError(`The password of the first administrator could not be written to ${file}.`, error);
  }
}
