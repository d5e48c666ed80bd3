import { type Kysely, sql } from 'kysely';
import { numberNotes } from '../../server/community/catalogue/changes/store.ts';
import { aggregateChanges } from '../../server/community/catalogue/counters/store.ts';
import type { CommunityTables } from '../../server/community/schema.ts';
import { BUSY_USER, REVIEWER, type Size } from './plugin.ts';

type Db = Kysely<CommunityTables>;

/** Curated content does not grow with the catalogue. */
const SLOTS = 1000;

/** Derives lists, totals, statistics and search words from plugins and submissions. */
export async function derive(db: Db): Promise<void> {
  await sql`
    insert into plugin_listing (tag_id, plugin_id, updated_at, popularity)
      select wanted.tag_id, p.id, p.updated_at, c.popularity
        from plugin p
        join plugin_counter c on c.plugin_id = p.id
        cross join lateral (
          select 0 as tag_id union all select t.tag_id from plugin_tag t where t.plugin_id = p.id
        ) wanted
        where p.is_visible`.execute(db);
  await sql`
    insert into submission_search
      select s.id, ts_delete(w."full", array(select p from unnest(w.properties) p where p !~ '^#[0-9]+$'))
        from submission s join plugin_search w on w.plugin_id = s.plugin_id`.execute(db);
  await sql`
    insert into waiting_search
      select w.* from submission s join submission_search w on w.submission_id = s.id
        where s.audit_status = 1 and not s.is_superseded`.execute(db);
  await sql`select keep_words(array(select word from ts_stat('select name from plugin_search')))`.execute(db);
  await sql`
    insert into search_lexeme
      select word from ts_stat('select "full" from plugin_search') where word !~ '^[=#@]' order by 1`.execute(
    db,
  );
  await countRows(db);
  await aggregateChanges(db);
  await sql`insert into catalogue_note (plugin_id) select id from plugin`.execute(db);
  await db.transaction().execute(numberNotes);
  for (const table of ['plugin', 'plugin_version', 'submission', 'review']) {
    await sql`
      select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.table(table)}))`.execute(
      db,
    );
  }
}

/** Triggers are off while rows are inserted; this does what they would have done. */
async function countRows(db: Db): Promise<void> {
  await sql`
    insert into managed_plugin (plugin_id, audit_status, updated_at, install_count, praise_count, view_count,
        recommended_rank)
      select p.id, p.audit_status, p.updated_at, c.install_count, c.praise_count, c.view_count,
          coalesce(- r.position, -2147483648)
        from plugin p join plugin_counter c on c.plugin_id = p.id left join recommendation r on r.plugin_id = p.id
        where p.deleted_at is null`.execute(db);
  await sql`
    insert into tally_change
      select 'submission ' || audit_status, count(*) from submission where not is_superseded group by audit_status
      union all select 'report open', count(*) from report where state = 'open'
      union all select 'trail', count(*) from audit_trail`.execute(db);
  await sql`
    insert into figure_change
      select plugin_id, day_of(created_at), 'waiting', 1 from submission where audit_status = 1 and not is_superseded
      union all select plugin_id, day_of(coalesce(decided_at, created_at)), 'publications', 1 from submission
        where audit_status = 2 and brings_version
      union all select plugin_id, day_of(installed_at), 'installs', count(*) from plugin_install
        where uninstalled_at is null or day_of(uninstalled_at) <> day_of(installed_at) group by 1, 2
      union all select plugin_id, day_of(created_at), 'likes', count(*) from plugin_like group by 1, 2
      union all select plugin_id, day, 'views', view_count from plugin_view`.execute(db);
}

/** Adds audit log, reports, slots, recommendations and default installs. */
export async function addHistory(db: Db, { count }: Size): Promise<void> {
  await sql`
    insert into audit_trail (actor_id, action, target_kind, target_id, target_name, created_at)
      select 1 + n % 20, (array['plugin.approve', 'plugin.reject', 'plugin.hide', 'banner.save', 'slot.add'])[1 + n % 5],
          (array['plugin', 'plugin', 'plugin', 'banner', 'slot'])[1 + n % 5], 'target-' || n % ${count / 2}::int, '',
          timestamptz '2023-01-01' + n * interval '3 minutes'
        from generate_series(1, ${count}::int) n`.execute(db);
  await sql`
    insert into report (plugin_id, user_id, kind, reason, state, decided_by, decided_at, created_at)
      select 1 + (n * 7919::bigint) % ${count}::bigint, case n % 50 when 0 then ${BUSY_USER}::bigint else 2000000 + n end,
          'broken', 'It does not start.', case when is_open then 'open' else 'dismissed' end,
          case when not is_open then ${REVIEWER}::bigint end,
          case when not is_open then timestamptz '2023-01-02' + n * interval '1 hour' end,
          timestamptz '2023-01-01' + n * interval '1 hour'
        from generate_series(1, ${Math.ceil(count / 20)}::int) n, lateral (select n % 5 = 0 as is_open) o
        on conflict do nothing`.execute(db);
  await sql`
    insert into resource_slot (plugin_id, link, start_at, end_at, created_at)
      select 1 + (n * 104729::bigint) % ${count}::bigint, '/plugins/', start_at, start_at + interval '1 month',
          timestamptz '2022-12-01' + n * interval '1 minute'
        from generate_series(1, ${SLOTS}::int) n,
          lateral (select timestamptz '2023-01-01' + n * (interval '5 years' / ${SLOTS}::int) as start_at) s`.execute(
    db,
  );
  await sql`
    insert into recommendation (plugin_id, position, created_at)
      select id, row_number() over (order by id), timestamptz '2023-01-01' from (
        select id from plugin where is_visible order by id limit 40
      ) first`.execute(db);
  await sql`
    insert into silent_install (plugin_id, created_at)
      select id, timestamptz '2023-01-01' from plugin where is_visible order by id limit 3`.execute(db);
}
