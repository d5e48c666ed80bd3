import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';

/** Words of names, and their forms without one letter, to find similar words for mistyped ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Two words are one edit apart only if they, or what is left of each without some letter, are the same. Words stay
    -- when the last plugin that is called so goes: they find nothing then.
    create table search_word (
      key text not null,
      word text not null,
      primary key (key, word)
    );

    create function word_keys(word text) returns setof text language sql immutable
      begin atomic
        select word union
          select left(word, n - 1) || substr(word, n + 1) from generate_series(1, char_length(word)) n;
      end;

    -- Words of four letters on. Unspaced scripts have none, for their lexemes are pairs; marked lexemes are no words.
    create function keep_words(words text[]) returns void language sql set search_path from current as $$
      insert into search_word (key, word)
        select keys.key, w.word
          from (select distinct unnest(words) as word) w cross join lateral word_keys(w.word) keys (key)
          where char_length(w.word) between 4 and 24 and w.word !~ '^[=#]|^[0-9]+$'
            and not exists (select from search_word known where known.key = w.word and known.word = w.word)
          order by 1, 2
        on conflict do nothing
    $$;

    create function keep_words_of_names() returns trigger language plpgsql set search_path from current as $$
    begin
      perform keep_words(array(
        select lexeme from written, unnest(tsvector_to_array(written.name)) lexeme
      ));
      return null;
    end $$;
    create trigger keep_new_words after insert on plugin_search
      referencing new table as written for each statement execute function keep_words_of_names();
    create trigger keep_changed_words after update on plugin_search
      referencing new table as written for each statement execute function keep_words_of_names();
  `.execute(db);
  await keepAllWords(db);
}

/** Inserts the words of all existing names. */
export async function keepAllWords(db: QueryExecutorProvider): Promise<void> {
  await sql`
    select keep_words(array(select word from ts_stat('select name from plugin_search')))`.execute(db);
}
