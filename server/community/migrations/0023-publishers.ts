import { type Kysely, sql } from 'kysely';

/** Pages of publishers: their handles, what they say about themselves, and reports of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function new_handle() returns text language sql volatile set search_path from current as $$
      select 'p-' || left(replace(gen_random_uuid()::text, '-', ''), 12)
    $$;
    comment on function new_handle() is 'A handle for who has not chosen one; it tells nothing of the user.';
    alter table person add column handle text not null default new_handle()
      check (handle ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(handle) between 3 and 32);
    comment on column person.handle is 'In the address of the page with their plugins; a random one until they choose.';
    create function handle_skeleton(handle text) returns text language sql immutable set search_path from current as $$
      select replace(replace(translate(handle, 'i10-', 'llo'), 'rn', 'm'), 'vv', 'w')
    $$;
    comment on function handle_skeleton(text) is 'The same for handles that look alike.';
    -- The page of a publisher is found by it.
    create unique index person_by_handle on person (handle);
    -- No two publishers have handles that look alike.
    create unique index person_by_handle_skeleton on person (handle_skeleton(handle));

    create table former_handle (
      handle text primary key,
      user_id bigint references person
    );
    comment on table former_handle is 'Handles that were changed: their addresses lead on, and nobody else gets them.';
    comment on column former_handle.user_id is 'Null after the account was deleted.';
    -- Nobody gets a handle that looks like a former one of somebody else.
    create index former_handle_by_skeleton on former_handle (handle_skeleton(handle));
    -- How often somebody has changed theirs, and what the deletion of an account reaches.
    create index former_handle_by_user on former_handle (user_id) where user_id is not null;

    create table publisher_profile (
      user_id bigint primary key references person,
      default_lang text not null,
      about jsonb not null check (jsonb_typeof(about) = 'object'),
      links text[] not null,
      hidden_at timestamptz(3),
      hidden_reason text,
      check ((hidden_at is null) = (hidden_reason is null))
    );
    comment on table publisher_profile is 'What publishers say about themselves.';
    comment on column publisher_profile.about is 'By language.';
    comment on column publisher_profile.hidden_at is 'When an administrator hid it from everybody else.';

    create table publisher_report (
      id bigint generated always as identity primary key,
      publisher_id bigint not null references person,
      user_id bigint not null references person,
      kind text not null
        check (kind in ('malicious', 'broken', 'infringing', 'offensive', 'misleading', 'other')),
      reason text not null,
      state text not null default 'open' check (state in ('open', 'accepted', 'dismissed')),
      decided_by bigint,
      decided_at timestamptz(3),
      created_at timestamptz(3) not null,
      check ((state = 'open') = (decided_at is null))
    );
    comment on table publisher_report is 'Reports by users of what publishers say about themselves.';
    -- A second report of the same publisher adds nothing while the first is undecided.
    create unique index publisher_report_open_once on publisher_report (publisher_id, user_id) where state = 'open';
    -- Open reports, oldest first.
    create index publisher_report_open on publisher_report (id) where state = 'open';
    -- The deletion of an account, and its export.
    create index publisher_report_by_publisher on publisher_report (publisher_id);
    create index publisher_report_by_user on publisher_report (user_id, id)`.execute(db);
  await sql`
    alter table plugin_listing add column publisher_id bigint;
    comment on column plugin_listing.publisher_id is 'Only in the list of all plugins.';
    update plugin_listing l set publisher_id = p.publisher_id from plugin p where p.id = l.plugin_id and l.tag_id = 0;
    -- A page of a publisher's plugins, latest or most popular first.
    create index plugin_listing_publisher_latest on plugin_listing (publisher_id, updated_at desc, plugin_id desc)
      where publisher_id is not null;
    create index plugin_listing_publisher_popular on plugin_listing (publisher_id, popularity desc, plugin_id desc)
      where publisher_id is not null;
    create function note_listed_publisher() returns trigger language plpgsql set search_path from current as $$
    begin
      select p.publisher_id into new.publisher_id from plugin p where p.id = new.plugin_id;
      return new;
    end $$;
    create trigger note_listed_publisher before insert on plugin_listing for each row
      when (new.tag_id = 0) execute function note_listed_publisher()`.execute(db);
}
