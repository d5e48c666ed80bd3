import { type Kysely, sql } from 'kysely';

/** Refresh tokens are replaced at every refresh: a row is a family of them, of which only the latest is valid. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table refresh_token
      add column serial_hash bytea,
      add column former_serial_hash bytea,
      add column rotation_salt bytea,
      add column rotated_at timestamptz;
    comment on column refresh_token.token_hash is 'Of the family, the part that all its tokens have.';
    comment on column refresh_token.serial_hash is 'Of the rest of the latest token; null until the first refresh.';
    comment on column refresh_token.former_serial_hash is 'Of the rest of the one before; null for the first token.';
    comment on column refresh_token.rotation_salt is 'With the former token it makes the latest one, for a lost answer.';
    comment on column refresh_token.rotated_at is 'When the latest token was issued.';
  `.execute(db);
}
