import { sql } from 'kysely';

/**
 * The search index, in the source database: lexemes in all languages of a plugin. Statistics of the columns are detailed,
 * because the planner must know frequent words; without fastupdate, searches never wait for pending index entries.
 */
export const search = sql`
  create table plugin_search (
    plugin_id bigint primary key references plugin on delete cascade,
    name tsvector not null,
    headline tsvector not null,
    "full" tsvector not null,
    is_listed boolean not null default true
  );
  comment on table plugin_search is 'The words of each plugin, by how much a match counts.';
  comment on column plugin_search.headline is 'Words of name and intro.';
  comment on column plugin_search.full is 'Words of all texts, the publisher and the tags.';
  comment on column plugin_search.is_listed is
    'Visibility of the plugin, so that matches are counted without a join.';
  alter table plugin_search alter column name set statistics 1000;
  alter table plugin_search alter column headline set statistics 1000;
  alter table plugin_search alter column "full" set statistics 1000;
  -- One for each part of the search, which shows matches of the name first.
  create index plugin_search_name on plugin_search using gin (name) with (fastupdate = off);
  create index plugin_search_headline on plugin_search using gin (headline) with (fastupdate = off);
  create index plugin_search_full on plugin_search using gin ("full") with (fastupdate = off);

  create function mark_search_row() returns trigger language plpgsql set search_path from current as $$
  begin
    new.is_listed := exists (select from plugin where id = new.plugin_id and is_visible);
    return new;
  end $$;
  create trigger mark_search_row before insert or update on plugin_search
    for each row execute function mark_search_row();

  create function mark_rows_of_plugins() returns trigger language plpgsql set search_path from current as $$
  begin
    update plugin_search s set is_listed = became.is_visible
      from became join was using (id)
      where s.plugin_id = became.id and became.is_visible <> was.is_visible and s.is_listed <> became.is_visible;
    return null;
  end $$;
  create trigger mark_rows_of_plugins after update on plugin
    referencing old table as was new table as became
    for each statement execute function mark_rows_of_plugins();

  create table search_word (
    key text not null,
    word text not null,
    primary key (key, word)
  );
  comment on table search_word is
    'Words of names, to correct mistyped ones. They stay without a plugin: then they find nothing.';
  comment on column search_word.key is
    'The word, or the word without one letter: two words are one edit apart only if they have a key in common.';

  create function word_keys(word text) returns setof text language sql immutable
    begin atomic
      select word union
        select left(word, n - 1) || substr(word, n + 1) from generate_series(1, char_length(word)) n;
    end;

  -- Words from four letters on. Unspaced scripts have none, for their lexemes are pairs; marked lexemes are no words.
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

  create table search_pending (
    plugin_id bigint,
    submission_id bigint,
    check (num_nonnulls(plugin_id, submission_id) = 1)
  );
  comment on table search_pending is
    'Plugins and submissions whose words the program must write. Append-only, hence without a key.';

  create function note_new_name() returns trigger language plpgsql set search_path from current as $$
  begin
    insert into search_pending (plugin_id) select id from plugin where publisher_id = new.user_id;
    insert into search_pending (submission_id)
      select s.id from plugin p join submission s on s.plugin_id = p.id where p.publisher_id = new.user_id;
    return null;
  end $$;
  create trigger note_new_name after update on person
    for each row when (old.nick_name <> new.nick_name) execute function note_new_name();
`;
