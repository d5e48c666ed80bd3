import { type Kysely, sql } from 'kysely';

/** The key of a new picture is the first half of the SHA-256 of the original; existing keys stay. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table picture drop constraint picture_picture_key_check;
    alter table picture
      add constraint picture_picture_key_check check (picture_key ~ '^[0-9a-f]{32}([0-9a-f]{32})?$');
  `.execute(db);
}
