import { type Kysely, sql } from 'kysely';

/** Changes of names and pictures and deletions of accounts, as identity reports them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table person
      -- What identity has told goes before what an older access token says.
      add column told_at timestamptz(3),
      add column deleted_at timestamptz(3);
    create index person_deleted on person (deleted_at) where deleted_at is not null;

    create table person_picture (
      user_id bigint not null,
      picture_key text not null references picture,
      created_at timestamptz(3) not null default now(),
      primary key (user_id, picture_key)
    );
    create index person_picture_by_picture on person_picture (picture_key);
  `.execute(db);
}
