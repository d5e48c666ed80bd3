import { sql } from 'kysely';

/** Submissions, separate from the published listings, and the tokens of publishing programs. */
export const publishing = sql`
  create table submission (
    id bigint generated always as identity primary key,
    plugin_id bigint not null references plugin on delete cascade,
    plugin_version_id bigint not null references plugin_version on delete cascade,
    brings_version boolean not null,
    is_first boolean not null,
    listing jsonb not null check (jsonb_typeof(listing) = 'object'),
    findings jsonb not null default '[]' check (jsonb_typeof(findings) = 'array'),
    audit_status smallint not null default 1 check (audit_status in (1, 2, 3)),
    is_superseded boolean not null default false,
    reason text,
    decided_by bigint,
    decided_at timestamptz(3),
    claimed_by bigint,
    claimed_until timestamptz(3),
    created_by bigint not null references person,
    created_at timestamptz(3) not null default now(),
    check (audit_status <> 3 or reason <> ''),
    check (not is_superseded or audit_status = 1)
  );
  comment on table submission is
    'A listing as it was submitted, with a new version or for an existing one. It is published when it is approved.';
  comment on column submission.brings_version is 'False if only the listing changes.';
  comment on column submission.is_first is 'Whether the plugin was unpublished before.';
  comment on column submission.findings is 'Warnings and notices of all checks, for publisher and reviewer.';
  comment on column submission.audit_status is '1 waiting, 2 approved, 3 rejected: the last decision.';
  comment on column submission.is_superseded is 'Replaced by a newer submission, or withdrawn, before a decision.';
  comment on column submission.reason is 'Why it was rejected.';
  comment on column submission.claimed_by is 'Reviewer who works on it, until claimed_until.';
  -- A plugin has one waiting submission.
  create unique index submission_waiting on submission (plugin_id) where audit_status = 1 and not is_superseded;
  -- The queue of reviewers, oldest first.
  create index submission_queue on submission (created_at, id) where audit_status = 1 and not is_superseded;
  -- Decided submissions by decision, latest first.
  create index submission_decided on submission (audit_status, coalesce(decided_at, created_at) desc, id desc)
    where audit_status in (2, 3);
  -- Submissions of every state, latest first.
  create index submission_newest on submission (created_at desc, id desc) where not is_superseded;
  -- The history of a plugin.
  create index submission_of_plugin on submission (plugin_id, id desc);
  -- Deleting a version deletes its submissions.
  create index submission_of_version on submission (plugin_version_id);
  -- Limits on how often a publisher submits count recent ones.
  create index submission_by_creator on submission (created_by, created_at desc);

  create table submission_file (
    submission_id bigint not null references submission on delete cascade,
    picture_key text references picture,
    file_key text references stored_file,
    check (num_nonnulls(picture_key, file_key) = 1)
  );
  comment on table submission_file is 'Pictures and videos of a submitted listing: they stay as long as it does.';
  -- Each file once; a key cannot have null columns.
  create unique index submission_file_picture on submission_file (submission_id, picture_key)
    where picture_key is not null;
  create unique index submission_file_file on submission_file (submission_id, file_key) where file_key is not null;
  -- The sweep asks for each picture and video whether a submission has it.
  create index submission_file_by_picture on submission_file (picture_key) where picture_key is not null;
  create index submission_file_by_file on submission_file (file_key) where file_key is not null;

  -- Deleting a plugin withdraws what waits for a decision.
  create function withdraw_submissions() returns trigger language plpgsql set search_path from current as $$
  begin
    update submission set is_superseded = true
      where plugin_id = new.id and audit_status = 1 and not is_superseded;
    return null;
  end $$;
  create trigger withdraw_submissions after update on plugin
    for each row when (old.deleted_at is null and new.deleted_at is not null)
    execute function withdraw_submissions();

  create table publish_token (
    id bigint generated always as identity primary key,
    user_id bigint not null references person,
    name text not null,
    secret_hash bytea not null unique check (length(secret_hash) = 32),
    hint text not null,
    plugin_id bigint references plugin on delete cascade,
    owner_grant text,
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    ending_told smallint not null default 0,
    last_used_at timestamptz(3),
    revoked_at timestamptz(3)
  );
  comment on table publish_token is 'Tokens with which programs publish for a user.';
  comment on column publish_token.secret_hash is
    'SHA-256: the secret is as strong as a key, so a fast hash is enough.';
  comment on column publish_token.hint is 'Start of the secret, by which its owner recognizes it.';
  comment on column publish_token.plugin_id is 'The only plugin that it may publish; null for all of its owner.';
  comment on column publish_token.owner_grant is
    'With it the user service confirms the rights of the owner; null until it is issued.';
  comment on column publish_token.ending_told is 'How many times the owner was told that the token expires.';
  -- The tokens of a user, latest first.
  create index publish_token_of_person on publish_token (user_id, created_at desc, id desc);
  -- Deleting a plugin deletes its tokens.
  create index publish_token_of_plugin on publish_token (plugin_id) where plugin_id is not null;
  -- Owners are told of tokens that expire soon.
  create index publish_token_ending on publish_token (expires_at) where revoked_at is null;
`;
