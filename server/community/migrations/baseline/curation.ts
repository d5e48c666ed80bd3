import { sql } from 'kysely';

/** What administrators choose to show, and settings. */
export const curation = sql`
  create table recommendation (
    plugin_id bigint primary key references plugin on delete cascade,
    position integer not null,
    created_by bigint,
    created_at timestamptz(3) not null default now()
  );
  comment on table recommendation is 'Plugins that the home page recommends.';
  -- Recommendations in their order.
  create index recommendation_in_order on recommendation (position, plugin_id);

  create table silent_install (
    plugin_id bigint primary key references plugin on delete cascade,
    created_by bigint,
    created_at timestamptz(3) not null default now()
  );
  comment on table silent_install is 'Plugins that every user gets installed once.';

  create table resource_slot (
    id bigint generated always as identity primary key,
    plugin_id bigint not null references plugin on delete cascade,
    link text not null,
    start_at timestamptz(3) not null,
    end_at timestamptz(3) not null,
    is_disabled boolean not null default false,
    created_by bigint,
    created_at timestamptz(3) not null default now(),
    check (end_at > start_at)
  );
  comment on table resource_slot is 'Advertised plugins of the home page, for a time.';
  -- All slots, latest first.
  create index resource_slot_newest on resource_slot (created_at desc, id desc);
  -- The slots of a plugin.
  create index resource_slot_by_plugin on resource_slot (plugin_id);
  -- Every visitor asks for the current slots; most are over.
  create index resource_slot_to_come on resource_slot (end_at) where not is_disabled;

  create table banner (
    id bigint generated always as identity primary key,
    redirect_url text,
    title jsonb not null default '{}' check (jsonb_typeof(title) = 'object'),
    default_lang text not null,
    picture_key text references picture,
    position integer not null default 0,
    created_by bigint,
    created_at timestamptz(3) not null default now()
  );
  comment on table banner is 'Banners of the home page; one without address or picture is not shown.';
  comment on column banner.title is 'By language.';
  -- The shown banners in their order.
  create index banner_shown on banner (position, id) where redirect_url <> '' and picture_key is not null;

  create table qr_code (
    id bigint generated always as identity primary key,
    name text not null unique,
    picture_key text references picture,
    img_url text not null default '',
    is_contact boolean not null default false,
    created_at timestamptz(3) not null default now()
  );
  comment on column qr_code.img_url is 'Picture of another site, for a row without a picture here.';
  comment on column qr_code.is_contact is 'The one by which users join the feedback group.';
  -- At most one is the contact.
  create unique index qr_code_contact on qr_code (is_contact) where is_contact;

  create table activity (
    id integer primary key check (id > 0),
    view_num bigint not null default 0,
    participate_num bigint not null default 0,
    cover_key text references picture,
    tutorial_url text not null default '',
    is_hidden boolean not null default false
  );
  comment on table activity is 'The card about an activity of the community.';

  create table featured_work (
    id bigint generated always as identity primary key,
    title jsonb not null check (jsonb_typeof(title) = 'object'),
    default_lang text not null,
    author text not null,
    url text not null,
    picture_key text references picture,
    view_num bigint not null default 0,
    like_num bigint not null default 0,
    position integer not null default 0,
    is_hidden boolean not null default false
  );
  comment on table featured_work is 'Works of the community in the header of the home page.';
  comment on column featured_work.title is 'By language.';
  -- The shown works in their order.
  create index featured_work_shown on featured_work (position, id) where picture_key is not null;

  create table setting (
    name text primary key,
    value jsonb,
    sealed bytea,
    updated_by bigint,
    updated_at timestamptz(3) not null default now()
  );
  comment on table setting is 'Settings that administrators change while the service runs.';
  comment on column setting.value is 'The setting, or the part of a secret one that may be shown.';
  comment on column setting.sealed is 'An encrypted secret.';
`;
