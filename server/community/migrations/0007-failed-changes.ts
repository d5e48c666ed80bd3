import { type Kysely, sql } from 'kysely';

/** Account changes that could not be applied. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table failed_change (
      kind text not null check (kind in ('account', 'role')),
      user_id bigint not null,
      change jsonb not null,
      tries integer not null,
      next_try_at timestamptz(3) not null,
      primary key (kind, user_id)
    );
    comment on table failed_change is
      'Changes of accounts and roles that could not be applied: others do not wait for them.';
    comment on column failed_change.change is 'As the user service reported it; a later one replaces it.'`.execute(
    db,
  );
}
