import { sql } from 'kysely';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';
import { SUBMITTED_VERSION } from '../../installed/store.ts';
import type { Db } from '../../schema.ts';
import { pictureOf } from '../cards/store.ts';

/** Where a plugin stands: what decides who may see it. */
export type PluginStanding = { id: number; publisher_id: number; is_visible: boolean };

/** The plugin of a key unless it was deleted. */
export async function findPlugin(db: Db, pluginKey: string): Promise<PluginStanding | undefined> {
  const { rows } = await sql<PluginStanding>`
    select id, publisher_id, is_visible from plugin
      where plugin_key = ${pluginKey} and deleted_at is null`.execute(db);
  return rows[0];
}

/** What the detail page shows beside the card; of what is not public, the version submitted last. */
export type DetailRow = {
  descriptions: Texts;
  panel: Picture | null;
  contact: string;
  support: string;
  copyright_kind: 'author' | 'custom';
  copyright_holder: string;
  /** Null where there is no package that says so. */
  allowed_domains: string[] | null;
  manifest: unknown;
  version: string;
  is_visible: boolean;
  package_bytes: number;
  audit_status: 1 | 2 | 3;
  created_at: Date;
};

export async function readDetailRow(db: Db, pluginId: number): Promise<DetailRow | undefined> {
  const { rows } = await sql<DetailRow>`
    select (select jsonb_object_agg(lang, description) from plugin_text where plugin_id = p.id) as descriptions,
        ${pictureOf('p.panel_key')} as panel, p.contact, p.support, p.copyright_kind, p.copyright_holder, p.audit_status, p.created_at,
        case when v.package_key is not null or cardinality(v.allowed_domains) > 0 then v.allowed_domains end
          as allowed_domains,
        v.package_manifest as manifest, coalesce(v.version, '') as version, p.is_visible,
        coalesce(v.package_bytes, 0) as package_bytes
      from plugin p left join plugin_version v on v.id = case
        when p.audit_status = 2 then p.current_version_id else coalesce(${SUBMITTED_VERSION}, p.current_version_id) end
      where p.id = ${pluginId}`.execute(db);
  return rows[0];
}

/** A picture, or a video by its file. */
export type MediaRow =
  | { picture: Picture; file_key: null; extension: null; mime_type: null }
  | { picture: null; file_key: string; extension: string; mime_type: string };

export async function readMediaRows(db: Db, pluginId: number): Promise<MediaRow[]> {
  const { rows } = await sql<MediaRow>`
    select ${pictureOf('m.picture_key')} as picture, f.file_key, f.extension, f.mime_type
      from plugin_media m left join stored_file f using (file_key)
      where m.plugin_id = ${pluginId} order by m.position`.execute(db);
  return rows;
}

export type VersionRow = {
  version: string;
  kind: 'new' | 'fixed';
  note: Texts;
  default_lang: Language;
  is_current: boolean;
  is_hidden: boolean;
  audit_status: 1 | 2 | 3;
  created_at: Date;
};

const VERSIONS_SHOWN = 200;

/** Versions, newest first; `all` shows those too that are hidden or have not passed the review. */
export async function readVersionRows(db: Db, pluginId: number, all: boolean): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select v.version, v.kind, v.note, p.default_lang, v.is_hidden, v.audit_status, v.created_at,
        coalesce(p.current_version_id = v.id, false) as is_current
      from plugin_version v join plugin p on p.id = v.plugin_id
      where v.plugin_id = ${pluginId} and (${all} or (v.audit_status = 2 and not v.is_hidden))
      order by v.created_at desc, v.id desc limit ${VERSIONS_SHOWN}`.execute(db);
  return rows;
}
