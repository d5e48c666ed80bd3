import { type Kysely, sql } from 'kysely';

/** Withdrawn plugins and versions, and who hid a version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table plugin add column withdrawn_at timestamptz(3), add column withdrawn_by bigint,
      add column withdrawn_reason text, drop column is_visible;
    alter table plugin add check ((withdrawn_at is null) = (withdrawn_reason is null));
    -- Before PostgreSQL 17 the expression of a column cannot change.
    alter table plugin add column is_visible boolean not null generated always as (
      audit_status = 2 and not is_hidden and deleted_at is null and withdrawn_at is null
        and current_version_id is not null
    ) stored;
    comment on column plugin.is_visible is 'Whether lists, search and other users see it.';
    comment on column plugin.withdrawn_at is 'Nobody gets its packages and pictures, also if it was deleted.';
    -- Deleted plugins, which administrators can still withdraw, latest first.
    create index plugin_deleted on plugin (deleted_at desc, id desc) where deleted_at is not null;
    -- Files of withdrawn plugins are looked up every few seconds.
    create index plugin_withdrawn on plugin (id) where withdrawn_at is not null;

    alter table plugin_version add column withdrawn_at timestamptz(3), add column withdrawn_by bigint,
      add column withdrawn_reason text, add column hidden_by bigint,
      add column is_hidden_by_admin boolean not null default false;
    alter table plugin_version add check ((withdrawn_at is null) = (withdrawn_reason is null));
    comment on column plugin_version.withdrawn_at is 'Nobody gets its package.';
    comment on column plugin_version.hidden_by is 'Who hid it last; null if unknown.';
    comment on column plugin_version.is_hidden_by_admin is 'Only administrators show it again.';
    -- Until now the audit log had changes of administrators only: the last one of a version says who hid it.
    update plugin_version v set is_hidden_by_admin = true, hidden_by = found.actor_id
      from (
        select hidden.id, last.actor_id
          from plugin_version hidden join plugin p on p.id = hidden.plugin_id
          cross join lateral (
            select t.action, t.actor_id from audit_trail t
              where t.target_id = p.plugin_key and t.target_kind = 'plugin'
                and t.action in ('version.hide', 'version.show') and t.detail ->> 'version' = hidden.version
              order by t.created_at desc, t.id desc limit 1
          ) last
          where hidden.is_hidden and last.action = 'version.hide'
      ) found
      where v.id = found.id`.execute(db);
}
