import { type Kysely, sql } from 'kysely';

/** Ranges of ids with visible plugins, counted as the totals of lists are, so that the sitemap need not look for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sitemap_range (
      range bigint primary key,
      total bigint not null check (total >= 0)
    );
    comment on table sitemap_range is 'Visible plugins of each thousand ids. A range stays when it has none left.';
    comment on column sitemap_range.range is 'A thousandth of the first id.';

    -- The total of all plugins is changed first, which leaves one transaction at a time here.
    create function count_ranges() returns trigger language plpgsql set search_path from current as $$
    begin
      if tg_op = 'INSERT' then
        insert into sitemap_range as r (range, total)
          select plugin_id / 1000, count(*) from listed where tag_id = 0 group by 1 order by 1
          on conflict (range) do update set total = r.total + excluded.total;
      else
        update sitemap_range r set total = r.total - fewer.count
          from (select plugin_id / 1000 as range, count(*) from unlisted where tag_id = 0 group by 1) fewer
          where fewer.range = r.range;
      end if;
      return null;
    end $$;
    create trigger count_ranges after insert on plugin_listing
      referencing new table as listed for each statement execute function count_ranges();
    create trigger count_unlisted_ranges after delete on plugin_listing
      referencing old table as unlisted for each statement execute function count_ranges();

    insert into sitemap_range (range, total)
      select plugin_id / 1000, count(*) from plugin_listing where tag_id = 0 group by 1 order by 1`.execute(
    db,
  );
}
