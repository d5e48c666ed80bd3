import { type Kysely, sql } from 'kysely';

/** The words of all texts, by which a search knows what a beginning stands for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table search_lexeme (
      lexeme text collate "C" primary key
    );
    comment on table search_lexeme is
      'Words, readings and pairs of characters of the texts that are searched. They stay without a plugin: then they find nothing.';

    -- Names, properties and publishers are not looked up by what they begin with.
    create function keep_lexemes() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into search_lexeme (lexeme)
        select w.lexeme
          from (select distinct unnest(tsvector_to_array(written."full")) as lexeme from written) w
          where w.lexeme !~ '^[=#@]' and not exists (select from search_lexeme known where known.lexeme = w.lexeme)
          order by 1
        on conflict do nothing;
      return null;
    end $$;
    create trigger keep_new_lexemes after insert on plugin_search
      referencing new table as written for each statement execute function keep_lexemes();
    create trigger keep_changed_lexemes after update on plugin_search
      referencing new table as written for each statement execute function keep_lexemes();

    insert into search_lexeme (lexeme)
      select word from ts_stat('select "full" from plugin_search') where word !~ '^[=#@]' order by 1`.execute(
    db,
  );
}
