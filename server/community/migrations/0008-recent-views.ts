import { type Kysely, sql } from 'kysely';

/** Views that do not count again for a while. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table recent_view (
      view_hash bytea primary key check (octet_length(view_hash) = 16),
      counted_at timestamptz(3) not null
    );
    create index recent_view_counted on recent_view (counted_at);
    comment on table recent_view is 'Views that counted less than half an hour ago, for all instances.';
    comment on column recent_view.view_hash is 'Plugin and viewer, hashed with a key that is not in the database.'`.execute(
    db,
  );
}
