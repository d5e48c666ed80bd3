import { sql } from 'kysely';

/** Plugins with their texts, versions, media, tags and marks. */
export const catalogue = sql`
  create table plugin (
    id bigint generated always as identity primary key,
    plugin_key text not null unique check (plugin_key ~ '^[A-Za-z0-9_-]{8,40}$'),
    publisher_id bigint not null references person,
    default_lang text not null,
    plugin_mark text not null default '',
    contact text not null default '',
    support text not null default '',
    copyright_kind text not null default 'author' check (copyright_kind in ('author', 'custom')),
    copyright_holder text not null default '',
    external_id text,
    icon_key text references picture,
    cover_key text references picture,
    generated_cover_key text references picture,
    generated_from text,
    panel_key text references picture,
    current_version_id bigint,
    audit_status smallint not null default 1 check (audit_status in (1, 2, 3)),
    is_hidden boolean not null default false,
    stored_bytes bigint not null default 0 check (stored_bytes >= 0),
    deleted_at timestamptz(3),
    is_visible boolean not null generated always as (
      audit_status = 2 and not is_hidden and deleted_at is null and current_version_id is not null
    ) stored,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now()
  );
  comment on table plugin is 'A plugin with its published listing; what waits for review is in submission.';
  comment on column plugin.plugin_key is 'The public id.';
  comment on column plugin.default_lang is 'Language of the texts for readers whose language is missing.';
  comment on column plugin.plugin_mark is 'Code of a mark; empty without one.';
  comment on column plugin.copyright_holder is 'Only for the kind custom; author means the publisher.';
  comment on column plugin.external_id is 'The id in the manifest of its package; claimed by anybody, so not unique.';
  comment on column plugin.generated_cover_key is 'Cover that was generated because the publisher gave none.';
  comment on column plugin.generated_from is
    'Icon of the generated cover, empty for none; if null or not the current icon, a cover must be generated.';
  comment on column plugin.panel_key is 'Picture for the panel of the design tool.';
  comment on column plugin.audit_status is '1 waiting, 2 approved, 3 rejected.';
  comment on column plugin.stored_bytes is 'Bytes ever stored for it, which count for the quota of its publisher.';
  comment on column plugin.is_visible is 'Whether lists, search and other users see it.';
  -- The plugins of a publisher, latest first.
  create index plugin_by_publisher on plugin (publisher_id, updated_at desc, id desc) where deleted_at is null;
  -- Plugins in each state, latest first.
  create index plugin_by_audit_status on plugin (audit_status, updated_at desc, id desc) where deleted_at is null;
  -- An upload finds the plugin that it updates.
  create index plugin_by_external_id on plugin (external_id) where external_id is not null;
  -- The quota is summed up from the index alone, deleted plugins included.
  create index plugin_bytes_of_publisher on plugin (publisher_id) include (stored_bytes);
  -- Deleting a version checks this reference.
  create index plugin_by_current_version on plugin (current_version_id);
  -- Renaming or deleting a mark finds its plugins.
  create index plugin_by_mark on plugin (plugin_mark) where plugin_mark <> '';
  -- The job that generates covers finds the next plugins without reading the others.
  create index plugin_without_cover on plugin (id) where cover_key is null and deleted_at is null
    and generated_from is distinct from coalesce(icon_key, '');
  -- The sweep asks for each picture whether something shows it.
  create index plugin_by_icon on plugin (icon_key) where icon_key is not null;
  create index plugin_by_cover on plugin (cover_key) where cover_key is not null;
  create index plugin_by_generated_cover on plugin (generated_cover_key) where generated_cover_key is not null;
  create index plugin_by_panel on plugin (panel_key) where panel_key is not null;

  create table plugin_text (
    plugin_id bigint not null references plugin on delete cascade,
    lang text not null,
    name text not null,
    intro text not null default '',
    description text not null default '',
    primary key (plugin_id, lang)
  );
  comment on table plugin_text is 'The published texts of a plugin, a row for each language.';

  create table plugin_version (
    id bigint generated always as identity primary key,
    plugin_id bigint not null references plugin on delete cascade,
    version text not null,
    kind text not null default 'new' check (kind in ('new', 'fixed')),
    note jsonb not null default '{}' check (jsonb_typeof(note) = 'object'),
    audit_status smallint not null default 1 check (audit_status in (1, 2, 3)),
    is_hidden boolean not null default false,
    package_key text references stored_file,
    package_bytes bigint not null default 0,
    package_manifest jsonb,
    allowed_domains text[] not null default '{}',
    findings jsonb not null default '[]' check (jsonb_typeof(findings) = 'array'),
    created_by bigint references person,
    created_at timestamptz(3) not null default now(),
    unique (plugin_id, version)
  );
  comment on table plugin_version is 'A version of a plugin; it is immutable but for its state.';
  comment on column plugin_version.version is 'Semantic version, greater than those before it.';
  comment on column plugin_version.kind is 'Whether the version brings something new or fixes something.';
  comment on column plugin_version.note is 'What is new, by language.';
  comment on column plugin_version.audit_status is '1 waiting, 2 approved, 3 rejected.';
  comment on column plugin_version.allowed_domains is 'Hosts that its manifest declares.';
  comment on column plugin_version.findings is 'Warnings of the package check, for publisher and reviewer.';
  -- The version history of a plugin.
  create index plugin_version_newest on plugin_version (plugin_id, created_at desc, id desc);
  -- Versions in each state, latest first.
  create index plugin_version_by_audit_status on plugin_version (audit_status, created_at desc, id desc);
  -- The sweep asks for each package whether a version needs it.
  create index plugin_version_by_package on plugin_version (package_key) where package_key is not null;
  -- Deferred: plugin and first version refer to each other.
  alter table plugin add foreign key (current_version_id) references plugin_version deferrable initially deferred;

  create table plugin_media (
    plugin_id bigint not null references plugin on delete cascade,
    position smallint not null check (position between 1 and 3),
    picture_key text references picture,
    file_key text references stored_file,
    primary key (plugin_id, position),
    check (num_nonnulls(picture_key, file_key) = 1)
  );
  comment on table plugin_media is 'Pictures and videos of the plugin page, in their order.';
  comment on column plugin_media.file_key is 'A video.';
  -- The sweep asks for each picture and video whether something shows it.
  create index plugin_media_by_picture on plugin_media (picture_key) where picture_key is not null;
  create index plugin_media_by_file on plugin_media (file_key) where file_key is not null;

  create table tag (
    id integer generated by default as identity primary key check (id > 0),
    code text not null unique,
    name jsonb not null check (jsonb_typeof(name) = 'object'),
    is_hidden boolean not null default false,
    position integer not null
  );
  comment on table tag is 'A category of the catalogue.';
  comment on column tag.id is 'Positive: 0 means all plugins in lists.';
  comment on column tag.name is 'By language.';
  comment on column tag.is_hidden is 'A hidden tag keeps its plugins but is not shown.';

  create table plugin_tag (
    plugin_id bigint not null references plugin on delete cascade,
    tag_id integer not null references tag on delete cascade,
    position smallint not null default 0,
    primary key (plugin_id, tag_id)
  );
  -- The plugins of a tag, for search within it and for deleting it.
  create index plugin_tag_by_tag on plugin_tag (tag_id, plugin_id);

  create table mark (
    id integer generated by default as identity primary key check (id > 0),
    code text not null unique,
    name jsonb not null check (jsonb_typeof(name) = 'object'),
    color text not null,
    is_hidden boolean not null default false,
    position integer not null
  );
  comment on table mark is 'A badge on plugin cards, such as "Official"; plugins refer to its code.';
  comment on column mark.name is 'By language.';
`;
