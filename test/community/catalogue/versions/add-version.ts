import { createHash } from 'node:crypto';
import { openFolderStore } from '../../../../server/community/files/media/files.ts';
import type { Db } from '../../../../server/community/schema.ts';

export interface VersionDraft {
  pluginId: number;
  version: string;
  status?: 1 | 2 | 3;
  isHidden?: boolean;
  /** Text of its package, which is stored. */
  content?: string;
  isCurrent?: boolean;
}

/** Adds a version to an existing plugin, like publishing does. @returns its id */
export async function addVersion(db: Db, dataDir: string, draft: VersionDraft): Promise<number> {
  const { pluginId: plugin_id, version, status = 2, content } = draft;
  const package_key = content === undefined ? null : await storePackage(db, dataDir, content);
  const row = await db
    .insertInto('plugin_version')
    .values({
      plugin_id,
      version,
      note: '{"en-US":"Another"}',
      audit_status: status,
      is_hidden: draft.isHidden ?? false,
      package_key,
      package_bytes: Buffer.byteLength(content ?? ''),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (draft.isCurrent) {
    await db.updateTable('plugin').set({ current_version_id: row.id }).where('id', '=', plugin_id).execute();
  }
  return row.id;
}

async function storePackage(db: Db, dataDir: string, content: string): Promise<string> {
  const key = createHash('sha256').update(content).digest('hex');
  await openFolderStore(dataDir).put(`${key}.json`, Buffer.from(content));
  await db
    .insertInto('stored_file')
    .values({
      file_key: key,
      extension: 'json',
      mime_type: 'application/json',
      bytes: Buffer.byteLength(content),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return key;
}
