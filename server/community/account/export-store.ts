import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** The content of a row, and its id for the next page. */
type ExportRow = { place: number; content: unknown };
/** Reads a page of a user's rows of one kind by id. */
type ReadExport = (db: Db, page: { userId: number; after: number; limit: number }) => Promise<ExportRow[]>;

const nameOf = sql`(
  select jsonb_build_object('plugin_key', p.plugin_key, 'name', (
    select jsonb_object_agg(lang, name) from plugin_text where plugin_id = p.id
  )) from plugin p where p.id = r.plugin_id)`;

/** The parts of an export by their names in the file. */
export const EXPORTED: Readonly<Record<string, ReadExport>> = {
  plugins: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select r.id as place, jsonb_build_object(
          'plugin_key', r.plugin_key, 'audit_status', r.audit_status, 'is_hidden', r.is_hidden,
          'created_at', r.created_at, 'updated_at', r.updated_at, 'deleted_at', r.deleted_at,
          'contact', r.contact, 'support', r.support, 'copyright_kind', r.copyright_kind,
          'copyright_holder', r.copyright_holder, 'license', r.license, 'home_page', r.home_page,
          'source_url', r.source_url, 'issues_url', r.issues_url, 'data_collected', r.data_collected,
          'texts', (select jsonb_object_agg(lang, jsonb_build_object(
              'name', name, 'intro', intro, 'description', coalesce(description_markdown ->> 'source', description),
              'support', case when lang = r.default_lang then r.support else support end
            )) from plugin_text where plugin_id = r.id),
          'versions', (select jsonb_agg(jsonb_build_object(
              'version', v.version, 'kind', v.kind, 'note', v.note, 'audit_status', v.audit_status,
              'is_hidden', v.is_hidden, 'package_bytes', v.package_bytes, 'manifest', v.package_manifest,
              'created_at', v.created_at
            ) order by v.id) from plugin_version v where v.plugin_id = r.id),
          'deprecation', (select jsonb_build_object('deprecated_at', r.deprecated_at, 'ended_at', d.ended_at,
              'texts', d.texts, 'successor', (select plugin_key from plugin s where s.id = d.successor_id))
            from deprecation d where d.plugin_id = r.id),
          'reviews', (select jsonb_agg(jsonb_build_object(
              'submitted_at', s.created_at, 'audit_status', s.audit_status, 'reason', s.reason,
              'decided_at', s.decided_at
            ) order by s.id) from submission s where s.plugin_id = r.id)
        ) as content
        from plugin r where r.publisher_id = ${userId} and r.id > ${after} order by r.id limit ${limit}`.execute(
      db,
    );
    return rows;
  },
  installs: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select r.plugin_id as place, jsonb_build_object('plugin', ${nameOf}, 'is_silent', r.is_silent,
          'installed_at', r.installed_at, 'uninstalled_at', r.uninstalled_at, 'hold', r.hold,
          'held_version', (select version from plugin_version where id = r.held_version_id)) as content
        from plugin_install r where r.user_id = ${userId} and r.plugin_id > ${after}
        order by r.plugin_id limit ${limit}`.execute(db);
    return rows;
  },
  trials: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select r.plugin_id as place, jsonb_build_object('plugin', ${nameOf}, 'tried_at', r.created_at) as content
        from plugin_trial r where r.user_id = ${userId} and r.plugin_id > ${after}
        order by r.plugin_id limit ${limit}`.execute(db);
    return rows;
  },
  likes: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select r.plugin_id as place, jsonb_build_object('plugin', ${nameOf}, 'liked_at', r.created_at) as content
        from plugin_like r where r.user_id = ${userId} and r.plugin_id > ${after}
        order by r.plugin_id limit ${limit}`.execute(db);
    return rows;
  },
  follows: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select r.id as place, jsonb_strip_nulls(jsonb_build_object('plugin', ${nameOf},
          'tag', (select jsonb_build_object('code', code, 'name', name) from tag where id = r.tag_id),
          'publisher_id', r.publisher_id, 'followed_at', r.created_at)) as content
        from follow r where r.user_id = ${userId} and r.id > ${after} order by r.id limit ${limit}`.execute(
      db,
    );
    return rows;
  },
  collections: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select r.id as place, jsonb_build_object('key', r.collection_key, 'title', r.title, 'description', r.description,
          'access', r.access, 'is_hidden', r.is_hidden, 'created_at', r.created_at, 'updated_at', r.updated_at,
          'plugins', (select coalesce(jsonb_agg(p.plugin_key order by cp.position, p.id), '[]')
            from collection_plugin cp join plugin p on p.id = cp.plugin_id where cp.collection_id = r.id)) as content
        from collection r where r.user_id = ${userId} and r.id > ${after} order by r.id limit ${limit}`.execute(
      db,
    );
    return rows;
  },
  collection_reports: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select r.id as place, jsonb_build_object('collection', c.collection_key, 'kind', r.kind, 'reason', r.reason,
          'created_at', r.created_at, 'decided_at', r.decided_at,
          'is_upheld', coalesce(r.is_upheld, c.is_hidden) and r.decided_at is not null) as content
        from collection_report r join collection c on c.id = r.collection_id
        where r.user_id = ${userId} and r.id > ${after} order by r.id limit ${limit}`.execute(db);
    return rows;
  },
  notices_off: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select place, to_jsonb(kind) as content from (
          select row_number() over (order by kind) as place, kind from notice_off where user_id = ${userId}
        ) r where place > ${after} order by place limit ${limit}`.execute(db);
    return rows;
  },
  reports: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select r.id as place, jsonb_build_object('plugin', ${nameOf}, 'kind', r.kind, 'reason', r.reason,
          'state', r.state, 'decision', r.decision, 'created_at', r.created_at, 'decided_at', r.decided_at) as content
        from report r where r.user_id = ${userId} and r.id > ${after} order by r.id limit ${limit}`.execute(
      db,
    );
    return rows;
  },
  last_used: async (db, { userId, after }) => {
    const { rows } = await sql<ExportRow>`
      select r.user_id as place, jsonb_build_object('day', r.active_on) as content
        from active_person r where r.user_id = ${userId} and r.user_id > ${after}`.execute(db);
    return rows;
  },
  update_preference: async (db, { userId, after }) => {
    const { rows } = await sql<ExportRow>`
      select r.user_id as place, jsonb_build_object('min_age_days', r.min_age_days) as content
        from update_preference r where r.user_id = ${userId} and r.user_id > ${after}`.execute(db);
    return rows;
  },
  publisher: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select r.user_id as place, jsonb_build_object('handle', r.handle,
          'former_handles', (select jsonb_agg(handle order by handle) from former_handle f where f.user_id = r.user_id),
          'default_lang', p.default_lang, 'about', p.about, 'links', to_jsonb(p.links), 'hidden_at', p.hidden_at,
          'hidden_reason', p.hidden_reason) as content
        from person r left join publisher_profile p on p.user_id = r.user_id
        where r.user_id = ${userId} and r.user_id > ${after} limit ${limit}`.execute(db);
    return rows;
  },
  verification: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select r.user_id as place, jsonb_build_object('verified_as', r.verified_as, 'domain', d.domain, 'token', d.token,
          'verified_at', d.verified_at, 'way', d.way, 'failing_since', d.failing_since, 'is_verified', v.is_verified,
          'reason', v.reason, 'decided_at', v.decided_at) as content
        from person r left join publisher_domain d on d.user_id = r.user_id
        left join verification_decision v on v.user_id = r.user_id
        where r.user_id = ${userId} and r.user_id > ${after} and coalesce(d.user_id, v.user_id) is not null
        limit ${limit}`.execute(db);
    return rows;
  },
  publisher_reports: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select r.id as place, jsonb_build_object('publisher', p.handle, 'kind', r.kind, 'reason', r.reason,
          'state', r.state, 'created_at', r.created_at, 'decided_at', r.decided_at) as content
        from publisher_report r join person p on p.user_id = r.publisher_id
        where r.user_id = ${userId} and r.id > ${after} order by r.id limit ${limit}`.execute(db);
    return rows;
  },
  publish_tokens: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select r.id as place, jsonb_build_object('name', r.name, 'plugin', ${nameOf}, 'created_at', r.created_at,
          'expires_at', r.expires_at, 'last_used_at', r.last_used_at, 'revoked_at', r.revoked_at) as content
        from publish_token r where r.user_id = ${userId} and r.id > ${after} order by r.id limit ${limit}`.execute(
      db,
    );
    return rows;
  },
  notices: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select r.id as place, jsonb_build_object('kind', r.kind, 'data', r.data, 'created_at', r.created_at,
          'read_at', r.read_at) as content
        from notice r where r.user_id = ${userId} and r.id > ${after} order by r.id limit ${limit}`.execute(
      db,
    );
    return rows;
  },
  audit_trail: async (db, { userId, after, limit }) => {
    const { rows } = await sql<ExportRow>`
      select r.id as place, jsonb_build_object('action', r.action, 'target_kind', r.target_kind,
          'target_id', r.target_id, 'target_name', r.target_name, 'detail', r.detail,
          'created_at', r.created_at) as content
        from audit_trail r where r.actor_id = ${userId} and r.id > ${after} order by r.id limit ${limit}`.execute(
      db,
    );
    return rows;
  },
};
