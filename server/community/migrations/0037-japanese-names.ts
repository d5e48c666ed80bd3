import { type Kysely, sql } from 'kysely';

/** How Japanese names are read, so that kana find kanji. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table japanese_name (
      plugin_id bigint primary key references plugin on delete cascade,
      name text not null,
      readings text[],
      next_read_at timestamptz(3) not null default 'epoch'
    );
    comment on table japanese_name is
      'Japanese names with kanji, as they were indexed, and how they are read. The running service fills in the readings.';
    comment on column japanese_name.readings is 'In katakana, from each word on; null while nobody has read the name.';
    comment on column japanese_name.next_read_at is
      'An unread name is left to the instance that took it until then: one that stops leaves it to others.';
    -- What is to be read.
    create index japanese_name_unread on japanese_name (next_read_at) where readings is null;

    -- The running service indexes names in kana and kanji again; what is queued outlives a restart.
    insert into search_pending (plugin_id)
      select plugin_id from plugin_text where lang = 'ja-JP' order by plugin_id`.execute(db);
}
