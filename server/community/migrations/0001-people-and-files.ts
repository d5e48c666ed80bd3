import { type Kysely, sql } from 'kysely';

/** Users, and the rows of stored files, which are inserted after the files are durable. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What the tokens of the user service last said of a person.
    create table person (
      user_id bigint primary key,
      nick_name text not null,
      avatar_url text not null default '',
      seen_at timestamptz(3) not null default now()
    );

    -- A picture, re-encoded in its widths. The key is the SHA-256 of the bytes it was made from.
    create table picture (
      picture_key text primary key check (picture_key ~ '^[0-9a-f]{64}$'),
      width integer not null check (width > 0),
      height integer not null check (height > 0),
      widths integer[] not null check (cardinality(widths) > 0),
      created_at timestamptz(3) not null default now()
    );

    -- A video or a code package, stored as it came. The key is the SHA-256 of its bytes.
    create table stored_file (
      file_key text primary key check (file_key ~ '^[0-9a-f]{64}$'),
      extension text not null check (extension ~ '^[a-z0-9]{2,5}$'),
      mime_type text not null,
      bytes bigint not null check (bytes >= 0),
      created_at timestamptz(3) not null default now()
    );
  `.execute(db);
}
