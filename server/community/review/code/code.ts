import { buffer } from 'node:stream/consumers';
import type { CodeFile } from '../../../../shared/entities/backstage.ts';
import { appError } from '../../../http/errors.ts';
import type { FileStore } from '../../media/files.ts';
import type { Db } from '../../schema.ts';
import { compareFiles } from './compare.ts';
import { packageFiles } from './package-files.ts';
import { type PackageRow, readPackageRows } from './store.ts';

/** A package beyond this is not read into memory to be shown: uploads are held to less by default. */
const PACKAGE_BYTES_MAX = 32 * 1024 * 1024;

/**
 * The files of the package under review beside those of what had passed before.
 * @throws SUBMISSION_NOT_FOUND; PACKAGE_TOO_LARGE for one that is too large to be shown
 */
export async function readAuditCode(
  db: Db,
  files: FileStore,
  submissionId: number,
): Promise<{ passed_version: string | null; file_list: CodeFile[] }> {
  const found = await readPackageRows(db, submissionId);
  if (!found) throw appError('SUBMISSION_NOT_FOUND');
  const before = await readPackage(files, found.before);
  const after = await readPackage(files, found.after);
  return { passed_version: found.passed_version, file_list: compareFiles(before, after ?? new Map()) };
}

async function readPackage(files: FileStore, row: PackageRow): Promise<Map<string, string> | null> {
  if (row === null) return null;
  if (row.bytes > PACKAGE_BYTES_MAX) {
    throw appError('PACKAGE_TOO_LARGE', { params: { size: PACKAGE_BYTES_MAX / 1024 / 1024 } });
  }
  const file = await files.get(row.name);
  if (!file) return null;
  return packageFiles(new TextDecoder().decode(await buffer(file.stream())));
}
