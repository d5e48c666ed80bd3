import { type Kysely, sql } from 'kysely';

/**
 * Names of publishers: found while they are typed, and those of verified ones compared with what others submit. The program
 * writes them for the publishers there are, in the background and from where it stopped: they wait in `publisher_pending`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table publisher_pending (user_id bigint not null);
    comment on table publisher_pending is
      'Publishers whose names the program must write. Append-only, hence without a key.';

    create table publisher_search (
      user_id bigint primary key references person,
      words tsvector not null
    );
    comment on table publisher_search is 'Words of the names and handles of who has plugins that visitors find.';
    -- Publishers by the beginning of a word.
    create index publisher_search_by_word on publisher_search using gin (words);

    create table verified_name (
      user_id bigint not null references person,
      skeleton text not null check (skeleton <> ''),
      keys text[] not null,
      primary key (user_id, skeleton)
    );
    comment on table verified_name is 'Names, handles and domains of verified publishers.';
    comment on column verified_name.skeleton is 'The same for names that look alike.';
    comment on column verified_name.keys is
      'The skeleton and, of longer ones, what remains without one letter: two are one edit apart only if they have one in common.';
    -- Names that a name could be mistaken for.
    create index verified_name_by_key on verified_name using gin (keys);

    create function note_changed_publisher() returns trigger language plpgsql set search_path from current as $$
    begin
      if new.deleted_at is not null then
        delete from publisher_search where user_id = new.user_id;
        delete from verified_name where user_id = new.user_id;
      elsif new.verified_as is not null or old.verified_as is not null
          or exists (select from plugin_listing where publisher_id = new.user_id) then
        insert into publisher_pending (user_id) values (new.user_id);
      end if;
      return null;
    end $$;
    create trigger note_changed_publisher after update on person
      for each row when (
        old.nick_name <> new.nick_name or old.handle <> new.handle
          or old.verified_as is distinct from new.verified_as or old.deleted_at is distinct from new.deleted_at
      ) execute function note_changed_publisher();

    create function note_first_listed() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into publisher_pending (user_id)
        select distinct publisher_id from listed
          where publisher_id is not null and not exists (
            select from publisher_search s where s.user_id = listed.publisher_id
          );
      return null;
    end $$;
    create trigger note_first_listed after insert on plugin_listing referencing new table as listed
      for each statement execute function note_first_listed();
    create function note_last_unlisted() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into publisher_pending (user_id)
        select distinct publisher_id from unlisted where publisher_id is not null;
      return null;
    end $$;
    create trigger note_last_unlisted after delete on plugin_listing referencing old table as unlisted
      for each statement execute function note_last_unlisted();

    insert into publisher_pending (user_id)
      select distinct publisher_id from plugin_listing where publisher_id is not null
      union select user_id from person where verified_as is not null;

    alter table publisher_domain
      add column unreachable_since timestamptz(3),
      add check (unreachable_since is null or verified_at is not null);
    comment on column publisher_domain.unreachable_since is
      'First check in a row that got no answer where the proof was found; only after a day it counts as missing.'`.execute(
    db,
  );
}
