import { type Kysely, sql } from 'kysely';

/**
 * Each withdrawal is a row: its reason, its texts, whom it was told. What is withdrawn already was told to nobody but its
 * publisher, long ago, so that its installers are not told now.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`set constraints all immediate`.execute(db);
  await sql`
    create table withdrawal (
      id bigint generated always as identity primary key,
      plugin_id bigint not null references plugin on delete cascade,
      plugin_version_id bigint references plugin_version on delete cascade,
      reason text not null check (reason in ('malware', 'vulnerable', 'policy', 'legal', 'publisher')),
      texts jsonb not null,
      must_stop boolean not null,
      is_of_publisher boolean not null default false,
      is_public boolean not null,
      withdrawn_by bigint,
      withdrawn_at timestamptz(3) not null,
      restored_by bigint,
      restored_at timestamptz(3),
      told_after bigint not null default 0,
      told_at timestamptz(3)
    );
    comment on table withdrawal is 'Withdrawals of plugins and versions, with those that were restored.';
    comment on column withdrawal.plugin_version_id is 'Null for the whole plugin.';
    comment on column withdrawal.texts is 'What readers are told, by language.';
    comment on column withdrawal.must_stop is 'Users must stop using it; otherwise they may keep what they have.';
    comment on column withdrawal.is_of_publisher is 'Withdrawn with everything else of its publisher.';
    comment on column withdrawal.is_public is 'It was published before, so that everybody may read about it.';
    comment on column withdrawal.told_after is 'Greatest id of a user among those who were told.';
    comment on column withdrawal.told_at is 'When the last of those who had installed it was told.';
    -- The one that withholds a plugin or a version now.
    create unique index withdrawal_of_plugin on withdrawal (plugin_id)
      where plugin_version_id is null and restored_at is null;
    create unique index withdrawal_of_version on withdrawal (plugin_version_id) where restored_at is null;
    -- What goes with a deleted plugin or version.
    create index withdrawal_by_plugin on withdrawal (plugin_id);
    create index withdrawal_by_version on withdrawal (plugin_version_id) where plugin_version_id is not null;
    -- The public list of removed plugins, latest first.
    create index withdrawal_listed on withdrawal (withdrawn_at desc, id desc) where restored_at is null and is_public;
    -- Withdrawals of which somebody is still to be told.
    create index withdrawal_to_tell on withdrawal (id) where told_at is null and restored_at is null;

    insert into withdrawal (plugin_id, reason, texts, must_stop, is_public, withdrawn_by, withdrawn_at, told_at)
      select p.id, 'policy', jsonb_build_object(p.default_lang, p.withdrawn_reason), true,
          exists (select from plugin_version v where v.plugin_id = p.id and v.audit_status = 2),
          p.withdrawn_by, p.withdrawn_at, p.withdrawn_at
        from plugin p where p.withdrawn_at is not null order by p.withdrawn_at, p.id;
    insert into withdrawal (plugin_id, plugin_version_id, reason, texts, must_stop, is_public, withdrawn_by,
        withdrawn_at, told_at)
      select v.plugin_id, v.id, 'policy', jsonb_build_object(p.default_lang, v.withdrawn_reason), true,
          v.audit_status = 2, v.withdrawn_by, v.withdrawn_at, v.withdrawn_at
        from plugin_version v join plugin p on p.id = v.plugin_id
        where v.withdrawn_at is not null order by v.withdrawn_at, v.id;
    alter table plugin drop column withdrawn_by, drop column withdrawn_reason;
    alter table plugin_version drop column withdrawn_by, drop column withdrawn_reason;
    alter table report add column is_withdrawing boolean not null default false;
    comment on column report.is_withdrawing is 'Whether the decision withdrew the plugin.';
    -- Everything of a publisher, deleted plugins too.
    create index plugin_to_withdraw on plugin (publisher_id, id);`.execute(db);
}
