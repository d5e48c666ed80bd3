import { type Kysely, sql } from 'kysely';

/** How old versions must be before a person gets them as updates. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table update_preference (
      user_id bigint primary key,
      min_age_days integer not null check (min_age_days between 0 and 90)
    );
    comment on table update_preference is 'How old versions must be before a person gets them; without a row, as the site says.';
    comment on column update_preference.min_age_days is 'Days since the approval; security releases come at once.';
    create trigger note_preference after insert or update or delete on update_preference
      for each row execute function note_installed()`.execute(db);
}
