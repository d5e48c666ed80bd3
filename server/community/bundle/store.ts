import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { Bundle, BundledPlugin, BundledVersion } from './contents.ts';

/** Keys of all visible plugins. */
export async function readVisibleKeys(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('plugin')
    .select('plugin_key')
    .where('is_visible', '=', true)
    .orderBy('id')
    .execute();
  return rows.map(({ plugin_key }) => plugin_key);
}

/** Visible plugins with all their approved versions that are not withdrawn. */
export async function readPlugins(db: Db, keys: readonly string[]): Promise<BundledPlugin[]> {
  const { rows } = await sql<BundledPlugin>`
    select p.plugin_key, p.external_id, current.version as current_version,
        jsonb_build_object(
          'default_lang', p.default_lang,
          'name', texts.name, 'intro', texts.intro, 'description', texts.description,
          'tags', (select coalesce(jsonb_agg(tag.code order by pt.position, tag.position), '[]')
            from plugin_tag pt join tag on tag.id = pt.tag_id where pt.plugin_id = p.id),
          'contact', p.contact, 'support', p.support,
          'copyright', jsonb_build_object('kind', p.copyright_kind, 'holder', p.copyright_holder),
          'plugin_mark', p.plugin_mark,
          'icon_key', p.icon_key, 'cover_key', p.cover_key, 'panel_key', p.panel_key,
          'media', (select coalesce(jsonb_agg(
              case when m.picture_key is null then jsonb_build_object('file_key', m.file_key)
                when m.is_before then jsonb_build_object('picture_key', m.picture_key, 'is_before', true)
                else jsonb_build_object('picture_key', m.picture_key) end order by m.position), '[]')
            from plugin_media m where m.plugin_id = p.id)
        ) || texts.support_translations || texts.description_markdown || jsonb_strip_nulls(jsonb_build_object(
          'license', nullif(p.license, ''), 'home_page', nullif(p.home_page, ''),
          'source_url', nullif(p.source_url, ''), 'issues_url', nullif(p.issues_url, ''),
          'data_collected', p.data_collected)) as listing,
        case when p.deprecated_at is not null then (
          select jsonb_build_object('texts', d.texts, 'successor', (
              select plugin_key from plugin s where s.id = d.successor_id and s.is_visible))
            from deprecation d where d.plugin_id = p.id) end as deprecation,
        (select jsonb_agg(jsonb_build_object('version', v.version, 'kind', v.kind, 'note', v.note,
            'is_hidden', v.is_hidden, 'package_key', v.package_key, 'package_bytes', v.package_bytes,
            'package_manifest', v.package_manifest, 'allowed_domains', v.allowed_domains, 'host_range', v.host_range,
            'findings', v.findings, 'signature', v.signature) order by v.created_at, v.id)
          from plugin_version v where v.plugin_id = p.id and v.audit_status = 2 and v.withdrawn_at is null) as versions
      from plugin p
      join plugin_version current on current.id = p.current_version_id
      cross join lateral (
        select jsonb_object_agg(lang, name) as name, jsonb_object_agg(lang, intro) as intro,
            jsonb_object_agg(lang, description) as description,
            case when bool_or(support <> '') then jsonb_build_object(
              'support_translations', jsonb_object_agg(lang, support) filter (where support <> '')
            ) else '{}' end as support_translations,
            case when count(description_markdown) > 0 then jsonb_build_object(
              'description_markdown',
              jsonb_object_agg(lang, description_markdown) filter (where description_markdown is not null)
            ) else '{}' end as description_markdown
          from plugin_text where plugin_id = p.id
      ) texts
      where p.plugin_key = any (${[...keys]}) and p.is_visible order by p.id`.execute(db);
  return rows;
}

export async function readTags(db: Db, codes: readonly string[]): Promise<Bundle['tags']> {
  const { rows } = await sql<Bundle['tags'][number]>`
    select code, name from tag where code = any (${[...codes]}) order by position, id`.execute(db);
  return rows;
}

export async function readMarks(db: Db, codes: readonly string[]): Promise<NonNullable<Bundle['marks']>> {
  const { rows } = await sql<NonNullable<Bundle['marks']>[number]>`
    select code, name, color from mark where code = any (${[...codes]}) order by position, id`.execute(db);
  return rows;
}

export async function readPictureRows(db: Db, keys: readonly string[]): Promise<Bundle['pictures']> {
  const { rows } = await sql<Bundle['pictures'][number]>`
    select picture_key, width, height, widths, bytes from picture where picture_key = any (${[...keys]})
      order by 1`.execute(db);
  return rows;
}

export async function readFileRows(db: Db, keys: readonly string[]): Promise<Bundle['files']> {
  const { rows } = await sql<Bundle['files'][number]>`
    select file_key, extension, mime_type, bytes from stored_file where file_key = any (${[...keys]})
      order by 1`.execute(db);
  return rows;
}

export async function isUserKnown(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`select from person where user_id = ${userId}`.execute(db);
  return rows.length > 0;
}

/** Adds missing tags after the existing ones. */
export async function insertMissingTags(trx: Db, tags: Bundle['tags']): Promise<void> {
  await sql`
    insert into tag (code, name, position)
      select t.code, t.name, (select coalesce(max(position), -1) from tag) + t.place
        from rows from (jsonb_to_recordset(${JSON.stringify(tags)}::jsonb) as (code text, name jsonb))
          with ordinality as t (code, name, place)
      on conflict (code) do nothing`.execute(trx);
}

/** Adds missing marks after the existing ones. */
export async function insertMissingMarks(trx: Db, marks: NonNullable<Bundle['marks']>): Promise<void> {
  await sql`
    insert into mark (code, name, color, position)
      select m.code, m.name, m.color, (select coalesce(max(position), -1) from mark) + m.place
        from rows from (jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) as (code text, name jsonb, color text))
          with ordinality as m (code, name, color, place)
      on conflict (code) do nothing`.execute(trx);
}

/** Existing pictures get a new creation time, so that the sweep does not remove them. */
export async function insertPictureRows(trx: Db, pictures: Bundle['pictures'], at: Date): Promise<void> {
  if (pictures.length === 0) return;
  await trx
    .insertInto('picture')
    .values(pictures)
    .onConflict((conflict) => conflict.column('picture_key').doUpdateSet({ created_at: at }))
    .execute();
}

/** The same for videos and packages. */
export async function insertFileRows(trx: Db, files: Bundle['files'], at: Date): Promise<void> {
  if (files.length === 0) return;
  await trx
    .insertInto('stored_file')
    .values(files)
    .onConflict((conflict) => conflict.column('file_key').doUpdateSet({ created_at: at }))
    .execute();
}

type FoundPlugin = { id: number; publisher_id: number; is_deleted: boolean };

/** Finds a plugin by its key, also a deleted one, and locks it until the transaction ends. */
export async function lockPluginByKey(trx: Db, key: string): Promise<FoundPlugin | undefined> {
  const { rows } = await sql<FoundPlugin>`
    select id, publisher_id, deleted_at is not null as is_deleted from plugin
      where plugin_key = ${key} for no key update`.execute(trx);
  return rows[0];
}

/** Ids of a plugin's versions by version number. */
export async function readVersionIds(trx: Db, pluginId: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; version: string }>`
    select id, version from plugin_version where plugin_id = ${pluginId}`.execute(trx);
  return new Map(rows.map(({ id, version }) => [version, id]));
}

/** Approves a submission. */
export async function approveSubmission(trx: Db, id: number, at: Date): Promise<void> {
  await sql`update submission set audit_status = 2, decided_at = ${at} where id = ${id}`.execute(trx);
}

type Shown = { pluginId: number; versionId: number; at: Date };

/** Approves a plugin and publishes a version of it. */
export async function publishVersion(trx: Db, { pluginId, versionId, at }: Shown): Promise<void> {
  await sql`
    update plugin set audit_status = 2, current_version_id = ${versionId}, updated_at = ${at}
      where id = ${pluginId}`.execute(trx);
}

type VersionOf = { pluginId: number; userId: number; at: Date };

/** Inserts a version that waits for review; its bytes do not count yet. @returns its id */
export async function insertWaitingVersion(
  trx: Db,
  version: BundledVersion,
  { pluginId, userId, at }: VersionOf,
): Promise<number> {
  const { id } = await trx
    .insertInto('plugin_version')
    .values({
      plugin_id: pluginId,
      version: version.version,
      kind: version.kind,
      note: JSON.stringify(version.note),
      package_key: version.package_key,
      package_bytes: version.package_bytes,
      package_manifest: version.package_manifest === null ? null : JSON.stringify(version.package_manifest),
      allowed_domains: version.allowed_domains,
      host_range: version.host_range ?? null,
      findings: JSON.stringify(version.findings),
      created_by: userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Inserts a version as approved: it was approved before its export. @returns its id */
export async function insertApprovedVersion(
  trx: Db,
  version: BundledVersion,
  about: VersionOf,
): Promise<number> {
  const id = await insertWaitingVersion(trx, version, about);
  await sql`
    with passed as (
      update plugin_version set audit_status = 2, is_hidden = ${version.is_hidden} where id = ${id} returning plugin_id
    )
    update plugin p set stored_bytes = stored_bytes + ${version.package_bytes}
      from passed where p.id = passed.plugin_id`.execute(trx);
  return id;
}
