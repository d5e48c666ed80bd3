import { type Kysely, sql } from 'kysely';
import { demoKey, loadCatalogue } from '../../../demo/catalogue.ts';
import type { CommunityTables, StoredListing } from '../../../server/community/schema.ts';
import type { Finding } from '../../../shared/entities/finding.ts';

type Db = Kysely<CommunityTables>;

export type NewSubmission = {
  /** Index among the published plugins of the catalogue. */
  plugin: number;
  /** English name of the listing. */
  name: string;
  /** A new version; without it only the listing changes. */
  version?: string;
  listing?: Partial<StoredListing>;
  findings?: Finding[];
  /** User id of the submitter; by default the publisher. */
  createdBy?: number;
  /** Age in hours. */
  hours: number;
};

/**
 * Adds a submission for a published plugin of the catalogue; a new version has the package of the next plugin. Returns
 * the submission's id.
 */
export async function addSubmission(db: Db, draft: NewSubmission): Promise<number> {
  const plugins = await db
    .selectFrom('plugin')
    .innerJoin('plugin_version as v', 'v.id', 'plugin.current_version_id')
    .select(['plugin.id', 'plugin.plugin_key', 'plugin.publisher_id', 'v.id as version_id', 'v.package_key'])
    .execute();
  const [plugin, other] = loadCatalogue()
    .plugins.slice(draft.plugin, draft.plugin + 2)
    .map(({ slug }) => plugins.find(({ plugin_key }) => plugin_key === demoKey(slug)));
  if (!plugin || !other) throw new Error(`the catalogue has no plugin ${draft.plugin}`);
  const shared = { plugin_id: plugin.id, created_by: plugin.publisher_id, is_first: false };
  const listing = await listingOf(db, plugin.id);
  const day = 86_400_000;
  await db
    .insertInto('submission')
    .values({
      ...shared,
      plugin_version_id: plugin.version_id,
      brings_version: true,
      listing: JSON.stringify(listing),
      audit_status: 2,
      created_at: new Date(Date.now() - 30 * day),
      decided_at: new Date(Date.now() - 29 * day),
    })
    .execute();
  const created_by = draft.createdBy ?? plugin.publisher_id;
  const version_id = draft.version
    ? await addVersion(db, plugin.id, draft.version, other.package_key)
    : plugin.version_id;
  const { id } = await db
    .insertInto('submission')
    .values({
      ...shared,
      created_by,
      plugin_version_id: version_id,
      brings_version: draft.version !== undefined,
      listing: JSON.stringify({
        ...listing,
        name: { ...listing.name, 'en-US': draft.name },
        ...draft.listing,
      }),
      findings: JSON.stringify(draft.findings ?? []),
      created_at: new Date(Date.now() - draft.hours * 3_600_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function addVersion(
  db: Db,
  plugin_id: number,
  version: string,
  package_key: string | null,
): Promise<number> {
  const row = await db
    .insertInto('plugin_version')
    .values({ plugin_id, version, note: '{"en-US":"Faster than before"}', audit_status: 1, package_key })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** The published listing. */
async function listingOf(db: Db, pluginId: number): Promise<StoredListing> {
  const { rows } = await sql<{ listing: StoredListing }>`
    select jsonb_build_object(
        'default_lang', p.default_lang, 'name', texts.name, 'intro', texts.intro, 'description', texts.description,
        'tags', (select coalesce(jsonb_agg(tag.code), '[]')
          from plugin_tag pt join tag on tag.id = pt.tag_id where pt.plugin_id = p.id),
        'contact', p.contact, 'support', p.support,
        'copyright', jsonb_build_object('kind', p.copyright_kind, 'holder', p.copyright_holder),
        'plugin_mark', p.plugin_mark, 'icon_key', p.icon_key, 'cover_key', p.cover_key, 'panel_key', p.panel_key,
        'media', (select coalesce(jsonb_agg(jsonb_build_object('picture_key', m.picture_key) order by m.position), '[]')
          from plugin_media m where m.plugin_id = p.id and m.picture_key is not null)
      ) as listing
      from plugin p cross join lateral (
        select jsonb_object_agg(lang, name) as name, jsonb_object_agg(lang, intro) as intro,
            jsonb_object_agg(lang, description) as description
          from plugin_text where plugin_id = p.id
      ) texts where p.id = ${pluginId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`no plugin ${pluginId}`);
  return row.listing;
}
