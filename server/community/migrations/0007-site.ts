import { type Kysely, sql } from 'kysely';

/** Content beside the catalogue, and the audit trail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    create index banner_shown on banner (position, id) where redirect_url <> '' and picture_key is not null;

    create table qr_code (
      id bigint generated always as identity primary key,
      name text not null unique,
      picture_key text references picture,
      img_url text not null default ''
    );

    create table activity (
      id integer primary key check (id > 0),
      view_num bigint not null default 0,
      participate_num bigint not null default 0,
      cover_key text references picture,
      tutorial_url text not null default ''
    );

    create table featured_work (
      id bigint generated always as identity primary key,
      title jsonb not null check (jsonb_typeof(title) = 'object'),
      default_lang text not null,
      author text not null,
      url text not null,
      picture_key text references picture,
      view_num bigint not null default 0,
      like_num bigint not null default 0,
      position integer not null default 0
    );
    create index featured_work_shown on featured_work (position, id) where picture_key is not null;

    -- Plain settings as JSON; secrets only sealed, with what may be shown of them as the value.
    create table setting (
      name text primary key,
      value jsonb,
      sealed bytea,
      updated_by bigint,
      updated_at timestamptz(3) not null default now()
    );

    create table audit_trail (
      id bigint generated always as identity primary key,
      actor_id bigint not null,
      action text not null,
      target_kind text not null,
      target_id text not null,
      detail jsonb not null default '{}',
      created_at timestamptz(3) not null default now()
    );
    create index audit_trail_newest on audit_trail (created_at desc, id desc);
    create index audit_trail_of_target on audit_trail (target_kind, target_id, created_at desc, id desc);
  `.execute(db);
}
