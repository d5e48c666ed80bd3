import { indexPlugins } from '../../server/community/catalogue/search/index-store.ts';
import type { Db } from '../../server/community/schema.ts';
import type { Finding } from '../../shared/entities/finding.ts';
import type { Picture } from '../../shared/entities/plugin.ts';
import type { Language, Texts } from '../../shared/languages.ts';

/** What of a test's plugin differs from an ordinary published one. */
export interface PluginDraft {
  key: string;
  name?: Texts;
  intro?: Texts;
  description?: Texts;
  defaultLang?: Language;
  publisherId?: number;
  auditStatus?: 1 | 2 | 3;
  isHidden?: boolean;
  /** False where the tables are those of an earlier release. */
  isIndexed?: boolean;
  deletedAt?: Date;
  updatedAt?: Date;
  tags?: number[];
  likes?: number;
  /** Its version has a package, by default without rights, for all design tools, and with nothing found. */
  code?: { domains?: string[]; permissions?: string[]; hosts?: string; findings?: Finding[] };
}

export const PUBLISHER_ID = 100;

/** Adds a plugin with one version, as publishing will, and answers its id. */
export async function addPlugin(db: Db, draft: PluginDraft): Promise<number> {
  const publisher_id = draft.publisherId ?? PUBLISHER_ID;
  await db
    .insertInto('person')
    .values({ user_id: publisher_id, nick_name: `Maker ${publisher_id}` })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('plugin')
      .values({
        plugin_key: draft.key,
        publisher_id,
        default_lang: draft.defaultLang ?? 'en-US',
        audit_status: draft.auditStatus ?? 2,
        is_hidden: draft.isHidden ?? false,
        deleted_at: draft.deletedAt ?? null,
        updated_at: draft.updatedAt ?? new Date('2025-01-01'),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await addTexts(trx, id, draft);
    const version = await trx
      .insertInto('plugin_version')
      .values({
        plugin_id: id,
        version: '1.0.0',
        note: '{"en-US":"First"}',
        audit_status: draft.auditStatus ?? 2,
        ...(draft.code && {
          package_manifest: JSON.stringify({ permissions: draft.code.permissions ?? [] }),
          allowed_domains: draft.code.domains ?? [],
          host_range: draft.code.hosts ?? null,
          findings: JSON.stringify(draft.code.findings ?? []),
        }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const tag_id of draft.tags ?? []) {
      await trx.insertInto('plugin_tag').values({ plugin_id: id, tag_id }).execute();
    }
    await trx.updateTable('plugin').set({ current_version_id: version.id }).where('id', '=', id).execute();
    const counts = { praise_count: draft.likes ?? 0 };
    await trx.updateTable('plugin_counter').set(counts).where('plugin_id', '=', id).execute();
    if (draft.isIndexed ?? true) await indexPlugins(trx, [id]);
    return id;
  });
}

async function addTexts(trx: Db, plugin_id: number, draft: PluginDraft): Promise<void> {
  const name: Texts = draft.name ?? { 'en-US': `Plugin ${draft.key}` };
  for (const [lang, text] of Object.entries(name) as [Language, string][]) {
    const intro = draft.intro?.[lang] ?? '';
    const description = draft.description?.[lang] ?? '';
    await trx.insertInto('plugin_text').values({ plugin_id, lang, name: text, intro, description }).execute();
  }
}

/** Adds a tag and answers its id. */
export async function addTag(db: Db, code: string, name: Texts = { 'en-US': code }): Promise<number> {
  const row = await db
    .insertInto('tag')
    .values({ code, name: JSON.stringify(name), position: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Adds a picture as the wire has it, and answers it; `letter`, a to f or a digit, makes its key. */
export async function addPicture(db: Db, letter: string): Promise<Picture> {
  const picture = { key: letter.repeat(64), width: 640, height: 360, widths: [320, 640] };
  const { key, ...size } = picture;
  await db
    .insertInto('picture')
    .values({ picture_key: key, ...size })
    .execute();
  return picture;
}
