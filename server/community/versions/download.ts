import { appError } from '../../http/errors.ts';
import type { FileStore, OpenFile } from '../media/files.ts';
import { findPlugin } from '../plugins/detail/store.ts';
import type { Db } from '../schema.ts';
import { readPackageFile } from './packages.ts';

/**
 * The file of a plugin's package: of the current version, else of the newest, or of the version asked for, whatever its
 * state.
 * @throws PLUGIN_NOT_FOUND, VERSION_NOT_FOUND
 */
export async function findPackage(db: Db, pluginKey: string, version: string | undefined): Promise<string> {
  const plugin = await findPlugin(db, pluginKey);
  if (!plugin) throw appError('PLUGIN_NOT_FOUND');
  const file = await readPackageFile(db, plugin.id, version);
  if (file === undefined) throw appError('VERSION_NOT_FOUND');
  return file;
}

/** @throws MEDIA_NOT_FOUND for a file that the store has lost */
export async function openPackage(files: FileStore, name: string): Promise<OpenFile> {
  const file = await files.get(name);
  if (!file) throw appError('MEDIA_NOT_FOUND');
  return file;
}
