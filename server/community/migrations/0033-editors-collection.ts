import { type Kysely, sql } from 'kysely';

/** Collections of the editors, which belong to no person, and lists of those that are public. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table collection alter column user_id drop not null, add column size integer not null default 0;
    comment on column collection.user_id is 'Null for a collection of the editors.';
    comment on column collection.size is 'How many plugins it has, published or not; empty ones are not listed.';
    update collection c set size = (select count(*) from collection_plugin cp where cp.collection_id = c.id);
    -- What everybody has shared with everybody, last changed first.
    create index collection_public on collection (updated_at desc, id desc)
      where access = 'public' and not is_hidden and size > 0 and user_id is not null;
    -- The latest collections with a plugin, and what goes with a deleted one.
    create index collection_plugin_latest on collection_plugin (plugin_id, collection_id desc);
    drop index collection_plugin_by_plugin;

    create table editors_collection (
      id bigint primary key references collection on delete cascade,
      slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
      title jsonb not null check (jsonb_typeof(title) = 'object'),
      description jsonb not null default '{}' check (jsonb_typeof(description) = 'object'),
      default_lang text not null,
      picture_key text references picture,
      position integer not null default 0
    );
    comment on table editors_collection is
      'What a collection of the editors has beside its plugins; it is published if access is public.';
    comment on column editors_collection.slug is 'The last part of the address of its page; it stays.';
    comment on column editors_collection.title is 'By language.';
    comment on column editors_collection.description is 'By language.';
    comment on column editors_collection.picture_key is 'Its cover; without one, the icons of its plugins.';
    -- Collections in the order of the editors.
    create index editors_collection_in_order on editors_collection (position, id);
    -- What a picture is used for.
    create index editors_collection_by_picture on editors_collection (picture_key)`.execute(db);
}
