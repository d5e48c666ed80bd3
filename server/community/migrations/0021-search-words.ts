import { type Kysely, sql } from 'kysely';

/** Readings, kana of one kind and punctuation among the words of search; searches that found nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The running service writes the words again, a batch after the other; what is queued outlives a restart.
    insert into search_pending (plugin_id) select id from plugin order by id;
    insert into search_pending (submission_id) select id from submission order by id;
    -- The next search of the help center indexes its articles again.
    update help_article_search set updated_at = 'epoch';

    create table missed_search (
      day date not null,
      keyword text not null,
      count integer not null check (count > 0),
      primary key (day, keyword)
    );
    comment on table missed_search is
      'How often a keyword found nothing on a day. Nothing tells who searched; 1,000 keywords a day, for 90 days.'`.execute(
    db,
  );
}
