import { type Kysely, sql } from 'kysely';

/** Whom and what users follow, the versions that followers are told of, and the notices that a user does not want. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table follow (
      id bigint generated always as identity primary key,
      user_id bigint not null,
      plugin_id bigint references plugin on delete cascade,
      tag_id integer references tag on delete cascade,
      publisher_id bigint references person on delete cascade,
      created_at timestamptz(3) not null,
      check (num_nonnulls(plugin_id, tag_id, publisher_id) = 1)
    );
    comment on table follow is 'A plugin, a tag or a publisher that a user follows.';
    -- Followers by id, in which order they are told.
    create unique index follow_of_plugin on follow (plugin_id, user_id) where plugin_id is not null;
    create unique index follow_of_tag on follow (tag_id, user_id) where tag_id is not null;
    create unique index follow_of_publisher on follow (publisher_id, user_id) where publisher_id is not null;
    -- What a user follows, latest first.
    create index follow_by_user on follow (user_id, id desc);

    create table publication (
      plugin_version_id bigint primary key references plugin_version on delete cascade,
      plugin_id bigint not null references plugin on delete cascade,
      is_first boolean not null,
      published_at timestamptz(3) not null,
      told_after bigint not null default 0,
      told_at timestamptz(3)
    );
    comment on table publication is
      'Versions that were published, each once: followers are told. Earlier ones have no row, and nobody is told of them.';
    comment on column publication.is_first is 'The plugin was new.';
    comment on column publication.told_after is 'Greatest id of a user among those who were told.';
    comment on column publication.told_at is 'When the last follower was told.';
    -- Publications of which somebody is still to be told; old ones are let be.
    create index publication_to_tell on publication (published_at, plugin_version_id) where told_at is null;
    -- Whether a plugin is new, and what goes with a deleted one.
    create index publication_by_plugin on publication (plugin_id);

    create table notice_off (
      user_id bigint not null,
      kind text not null,
      primary key (user_id, kind)
    );
    comment on table notice_off is 'Kinds of notices that a user does not want.'`.execute(db);
}
