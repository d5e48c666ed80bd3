import { createHash } from 'node:crypto';
import { openFolderStore } from '../../../../server/community/files/media/files.ts';
import type { Db } from '../../../../server/community/schema.ts';
import { releasePackage } from '../../../../shared/package/package.ts';

export interface VersionDraft {
  pluginId: number;
  version: string;
  status?: 1 | 2 | 3;
  isHidden?: boolean;
  /** Text of its package, which is stored. */
  content?: string;
  isCurrent?: boolean;
  /** If false, the digest of its package is not known yet, as after an upgrade. */
  isDigested?: boolean;
}

/** Adds a version to an existing plugin, like publishing does. @returns its id */
export async function addVersion(db: Db, dataDir: string, draft: VersionDraft): Promise<number> {
  const { pluginId: plugin_id, version, status = 2, content } = draft;
  const package_key = content === undefined ? null : await storePackage(db, dataDir, { ...draft, content });
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

async function storePackage(
  db: Db,
  dataDir: string,
  { content, isDigested = true }: { content: string; isDigested?: boolean },
): Promise<string> {
  const key = createHash('sha256').update(content).digest('hex');
  await openFolderStore(dataDir).put(`${key}.json`, Buffer.from(content));
  await db
    .insertInto('stored_file')
    .values({
      file_key: key,
      extension: 'json',
      mime_type: 'application/json',
      bytes: Buffer.byteLength(content),
      ...(isDigested && releaseOf(content)),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return key;
}

/** Contents of tests need not be packages. */
function releaseOf(content: string): { release_key: string; release_bytes: number } {
  const isPackage = content.startsWith('{"format"');
  const released = isPackage ? releasePackage(content) : content;
  return {
    release_key: createHash('sha256').update(released).digest('hex'),
    release_bytes: Buffer.byteLength(released),
  };
}
