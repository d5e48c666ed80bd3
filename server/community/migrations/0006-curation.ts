import { type Kysely, sql } from 'kysely';

/** Decisions of administrators: reviews, recommendations, default installs, resource slots, reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table review (
      id bigint generated always as identity primary key,
      plugin_version_id bigint not null references plugin_version on delete cascade,
      audit_status smallint not null check (audit_status in (2, 3)),
      reason text,
      reviewer_id bigint not null,
      created_at timestamptz(3) not null default now(),
      check (audit_status = 2 or reason <> '')
    );
    create index review_newest on review (plugin_version_id, created_at desc, id desc);

    create table recommendation (
      plugin_id bigint primary key references plugin on delete cascade,
      position integer not null,
      created_by bigint,
      created_at timestamptz(3) not null default now()
    );
    create index recommendation_in_order on recommendation (position, plugin_id);

    create table silent_install (
      plugin_id bigint primary key references plugin on delete cascade,
      created_by bigint,
      created_at timestamptz(3) not null default now()
    );

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
    create index resource_slot_newest on resource_slot (created_at desc, id desc);
    create index resource_slot_by_plugin on resource_slot (plugin_id);

    create table report (
      id bigint generated always as identity primary key,
      plugin_id bigint not null references plugin on delete cascade,
      user_id bigint not null,
      reason text not null,
      state text not null default 'open' check (state in ('open', 'accepted', 'dismissed')),
      decision text,
      decided_by bigint,
      decided_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      check ((state = 'open') = (decided_at is null))
    );
    create index report_newest on report (created_at desc, id desc);
    create index report_open on report (created_at desc, id desc) where state = 'open';
    -- A person's second report of the same plugin adds nothing while the first is undecided.
    create unique index report_open_once on report (plugin_id, user_id) where state = 'open';
  `.execute(db);
}
