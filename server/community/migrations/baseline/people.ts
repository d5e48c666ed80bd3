import { sql } from 'kysely';

/** Users as the user service describes them, and the notices to them. */
export const people = sql`
  create table person (
    user_id bigint primary key,
    nick_name text not null,
    avatar_url text not null default '',
    role smallint not null default 0 check (role in (0, 1, 2)),
    seen_at timestamptz(3) not null default now(),
    told_at timestamptz(3),
    deleted_at timestamptz(3)
  );
  comment on table person is
    'Users who have called this service, as their tokens or the user service last described them.';
  comment on column person.user_id is 'Id in the user service.';
  comment on column person.role is '0 member, 1 super administrator, 2 administrator.';
  comment on column person.told_at is
    'When the user service last reported a change; access tokens of before are out of date.';
  comment on column person.deleted_at is 'When the account was deleted; the row keeps no personal data then.';
  -- Notices of deleted accounts are skipped; these are few among all users.
  create index person_deleted on person (deleted_at) where deleted_at is not null;

  create table person_picture (
    user_id bigint not null,
    picture_key text not null references picture,
    created_at timestamptz(3) not null default now(),
    primary key (user_id, picture_key)
  );
  comment on table person_picture is 'Avatars that users have uploaded here: the sweep keeps them.';
  -- The sweep asks for each picture whether something shows it.
  create index person_picture_by_picture on person_picture (picture_key);

  create table notice (
    id bigint generated always as identity primary key,
    user_id bigint not null,
    kind text not null,
    data jsonb not null,
    created_at timestamptz(3) not null,
    read_at timestamptz(3),
    mail_key uuid default gen_random_uuid()
  );
  comment on table notice is 'Notices to users about their submissions, reports, plugins and tokens.';
  comment on column notice.data is 'Values for the text of this kind.';
  comment on column notice.mail_key is
    'Makes a repeated request for the same mail harmless; null once the user service has accepted it.';
  -- The list of a user, latest first.
  create index notice_by_user on notice (user_id, id desc);
  -- The number beside the bell, which every page of a signed-in user shows.
  create index notice_unread on notice (user_id, id) where read_at is null;
  -- Old notices are deleted by age.
  create index notice_by_age on notice (created_at);
  -- Mails that the user service has not accepted yet.
  create index notice_to_mail on notice (id) where mail_key is not null;
`;
