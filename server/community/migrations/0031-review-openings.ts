import { type Kysely, sql } from 'kysely';

/** Submissions that a reviewer has opened; others are excluded from batch decisions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table review_opening (
      submission_id bigint not null references submission on delete cascade,
      user_id bigint not null,
      opened_at timestamptz(3) not null,
      primary key (submission_id, user_id)
    );
    create index review_opening_of_user on review_opening (user_id);
  `.execute(db);
}
