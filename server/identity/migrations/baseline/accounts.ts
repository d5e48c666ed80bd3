import { sql } from 'kysely';

/** Accounts, enterprises, and the changes that other services and administrators see. */
export const accounts = sql`
  create table account (
    user_id bigint generated always as identity primary key,
    user_name text not null,
    user_name_key text not null unique check (user_name_key !~ '@'),
    email text not null,
    email_key text,
    email_verified_at timestamptz,
    nick_name text not null,
    nick_name_key text not null,
    password_hash text,
    role smallint not null default 0 check (role in (0, 1, 2)),
    language text,
    mobile text not null default '',
    sex smallint not null default 0,
    birthday text not null default '',
    channel text not null default 'official',
    tencent_docs boolean not null default false,
    avatar_url text not null default '',
    identification text not null default '',
    e_id bigint,
    created_at timestamptz not null,
    disabled_at timestamptz,
    last_sign_in_at timestamptz,
    signed_out_at timestamptz,
    devices_since timestamptz,
    delete_at timestamptz,
    delete_plugins text check (delete_plugins in ('keep', 'remove')),
    delete_language text,
    deleted_at timestamptz
  );
  comment on column account.user_name_key is
    'Normalized for comparison. Without @, so that it is never the address of another account.';
  comment on column account.email_key is 'Normalized for comparison; null for an account without an e-mail address.';
  comment on column account.email_verified_at is
    'When the user verified the address; null for a typed one, or one from another directory.';
  comment on column account.nick_name_key is 'Normalized for search.';
  comment on column account.password_hash is 'Null for a user who signs in through other providers only.';
  comment on column account.role is '0 member, 1 super administrator, 2 administrator.';
  comment on column account.language is 'Language of mails; null until the user has chosen one.';
  comment on column account.channel is 'The way by which the user came to sign up.';
  comment on column account.tencent_docs is 'Whether the user came from Tencent Docs.';
  comment on column account.e_id is 'Current enterprise; ignored unless the user is a member of it.';
  comment on column account.signed_out_at is 'Last sign-out everywhere; codes issued until then are invalid.';
  comment on column account.devices_since is 'Devices that signed in until then are unknown again.';
  comment on column account.delete_at is 'Scheduled deletion, which a sign-in before cancels; null without one.';
  comment on column account.delete_plugins is 'What happens to the plugins of the user then.';
  comment on column account.delete_language is 'Language of the mails about it.';
  comment on column account.deleted_at is
    'When it was deleted. The row stays for its id and has no personal data.';
  -- Accounts with an address, which need not be unique.
  create index account_by_address on account (email_key);
  -- A verified address has one owner.
  create unique index account_owning_address on account (email_key) where email_verified_at is not null;
  -- An address for signing in with a password is unique.
  create unique index account_signing_in_by_address on account (email_key) where password_hash is not null;
  -- Every start asks whether there is a super administrator, and the last one cannot resign.
  create index account_super_admin on account (user_id) where role = 1;
  -- Administrators among the members, latest first: few among all.
  create index account_by_role on account (role, user_id desc) where role <> 0;
  -- Scheduled deletions that are due.
  create index account_to_delete on account (delete_at) where delete_at is not null;

  create table enterprise (
    e_id bigint primary key check (e_id > 0),
    name text not null check (name <> '')
  );
  comment on table enterprise is 'Names of enterprises; one without a row has only its id.';

  create table enterprise_member (
    user_id bigint not null references account on delete cascade,
    e_id bigint not null check (e_id > 0),
    department text not null default '',
    is_owner boolean not null default false,
    is_administrator boolean not null default false,
    staff_status smallint not null default 0,
    primary key (user_id, e_id)
  );
  -- Whether somebody else owns the enterprise of an account that is to be deleted.
  create index enterprise_member_owner on enterprise_member (e_id) where is_owner;

  create table member_change (
    id bigint generated always as identity primary key,
    actor_id bigint not null references account on delete cascade,
    user_id bigint not null references account on delete cascade,
    action text not null,
    detail jsonb not null check (jsonb_typeof(detail) = 'object'),
    created_at timestamptz not null
  );
  comment on table member_change is 'What administrators changed about members. Rows are only added.';
  -- Deleting an account deletes its rows; a member's page lists their changes.
  create index member_change_by_actor on member_change (actor_id);
  create index member_change_of_member on member_change (user_id);

  create table account_change (
    id bigint generated always as identity primary key,
    user_id bigint not null unique references account on delete cascade,
    changed_at timestamptz not null
  );
  comment on table account_change is 'The latest change of each account, which other services poll.';
  comment on column account_change.id is 'Assigned under a lock, so that ids follow the order of commits.';

  create table role_change (
    id bigint generated always as identity primary key,
    user_id bigint not null references account on delete cascade,
    role smallint not null,
    changed_at timestamptz not null
  );
  comment on table role_change is 'Changes of roles, which other services poll to notify users.';
  comment on column role_change.id is 'Assigned under a lock, so that ids follow the order of commits.';
  -- Deleting an account deletes its rows.
  create index role_change_of_account on role_change (user_id);
  -- Old rows are deleted by age.
  create index role_change_by_age on role_change (changed_at);
`;
