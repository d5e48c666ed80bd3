import { type Kysely, sql } from 'kysely';

/** Collections of plugins that users make, and reports of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table collection (
      id bigint generated always as identity primary key,
      collection_key text not null unique check (collection_key ~ '^[A-Za-z0-9_-]{16}$'),
      user_id bigint not null references person,
      title text not null,
      description text not null default '',
      access text not null default 'private' check (access in ('private', 'link', 'public')),
      is_hidden boolean not null default false,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    );
    comment on table collection is 'Plugins that a user has put together under a title.';
    comment on column collection.collection_key is 'The public id, which cannot be guessed.';
    comment on column collection.access is 'Who may read it: its owner, everybody who knows the address, everybody.';
    comment on column collection.is_hidden is 'An administrator keeps it from everybody but its owner.';
    -- The collections of a user, last changed first.
    create index collection_by_user on collection (user_id, updated_at desc, id desc);

    create table collection_plugin (
      collection_id bigint not null references collection on delete cascade,
      plugin_id bigint not null references plugin on delete cascade,
      position integer not null,
      added_at timestamptz(3) not null,
      primary key (collection_id, plugin_id)
    );
    comment on table collection_plugin is 'The plugins of a collection.';
    -- The plugins of a collection in their order.
    create index collection_plugin_in_order on collection_plugin (collection_id, position, plugin_id);
    -- What goes with a deleted plugin.
    create index collection_plugin_by_plugin on collection_plugin (plugin_id);

    create table collection_report (
      id bigint generated always as identity primary key,
      collection_id bigint not null references collection on delete cascade,
      user_id bigint not null,
      kind text not null,
      reason text not null,
      created_at timestamptz(3) not null,
      decided_at timestamptz(3),
      decided_by bigint
    );
    comment on table collection_report is 'Reports of collections.';
    -- A user has at most one open report of a collection.
    create unique index collection_report_open on collection_report (collection_id, user_id) where decided_at is null;
    -- Open reports, the oldest first.
    create index collection_report_queue on collection_report (created_at, id) where decided_at is null;
    -- What goes with a deleted collection, and the reports of a user.
    create index collection_report_by_collection on collection_report (collection_id);
    create index collection_report_by_user on collection_report (user_id, id);
    -- Hidden collections, the latest first.
    create index collection_hidden on collection (updated_at desc, id desc) where is_hidden`.execute(db);
}
