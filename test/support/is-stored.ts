import type { FileStore } from '../../server/community/files/media/files.ts';

/** Whether a store has a file. */
export async function isStored(files: Pick<FileStore, 'get'>, name: string): Promise<boolean> {
  const file = await files.get(name);
  await file?.close();
  return file !== undefined;
}
