import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Untracked build output that tests read. */
const BUILT = [join('web', 'dist')];

/**
 * Copies the tracked files of a checkout with their changes into a new folder, where files can be changed; packages
 * are linked. `remove` deletes the copy.
 */
export function scratchCopy(root: string): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-square-mutants-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const listed = execFileSync(
      'git',
      ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'],
      { cwd: root, encoding: 'utf8' },
    );
    const deleted = execFileSync('git', ['ls-files', '--deleted', '-z'], { cwd: root, encoding: 'utf8' });
    const gone = new Set(deleted.split('\0'));
    const files = listed.split('\0').filter((file) => file !== '' && !gone.has(file));
    for (const file of [...files, ...BUILT])
      cpSync(join(root, file), join(folder, file), { recursive: true, preserveTimestamps: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
