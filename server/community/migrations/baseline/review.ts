import { sql } from 'kysely';

/** Decisions about submissions, reports, and the search of the backstage. */
export const review = sql`
  create table review (
    id bigint generated always as identity primary key,
    submission_id bigint not null references submission on delete cascade,
    audit_status smallint not null check (audit_status in (2, 3)),
    reason text,
    reviewer_id bigint not null,
    created_at timestamptz(3) not null default now(),
    check (audit_status = 2 or reason <> '')
  );
  comment on table review is 'All decisions about a submission, which itself has the last one.';
  comment on column review.audit_status is '2 approved, 3 rejected.';
  -- The decisions about a submission, latest first.
  create index review_of_submission on review (submission_id, id desc);

  create table review_opening (
    submission_id bigint not null references submission on delete cascade,
    user_id bigint not null,
    opened_at timestamptz(3) not null,
    primary key (submission_id, user_id)
  );
  comment on table review_opening is
    'Submissions that a reviewer has opened; others are excluded from decisions about several.';
  -- Deleting an account deletes its rows.
  create index review_opening_of_user on review_opening (user_id);

  create table submission_search (
    submission_id bigint primary key references submission on delete cascade,
    words tsvector not null
  );
  comment on table submission_search is
    'Words of submitted listings in all languages, of publishers and tags, for reviewers.';
  alter table submission_search alter column words set statistics 1000;
  -- The search of reviewers.
  create index submission_search_words on submission_search using gin (words) with (fastupdate = off);

  create table waiting_search (
    submission_id bigint primary key references submission on delete cascade,
    words tsvector not null
  );
  comment on table waiting_search is
    'The rows of submission_search that wait for a decision: few, so that searching the queue is fast.';
  -- The search in the queue.
  create index waiting_search_words on waiting_search using gin (words) with (fastupdate = off);

  create function note_new_submission() returns trigger language plpgsql set search_path from current as $$
  begin
    insert into search_pending (submission_id) select id from added;
    return null;
  end $$;
  create trigger note_new_submission after insert on submission
    referencing new table as added for each statement execute function note_new_submission();

  create function forget_waiting() returns trigger language plpgsql set search_path from current as $$
  begin
    delete from waiting_search where submission_id = new.id;
    return null;
  end $$;
  create trigger forget_waiting after update on submission for each row
    when ((old.audit_status = 1 and not old.is_superseded) and (new.audit_status <> 1 or new.is_superseded))
    execute function forget_waiting();

  create table report (
    id bigint generated always as identity primary key,
    plugin_id bigint not null references plugin on delete cascade,
    user_id bigint not null,
    kind text not null
      check (kind in ('malicious', 'broken', 'infringing', 'offensive', 'misleading', 'other')),
    reason text not null,
    state text not null default 'open' check (state in ('open', 'accepted', 'dismissed')),
    decision text,
    warning text,
    is_hiding boolean not null default false,
    decided_by bigint,
    decided_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    check ((state = 'open') = (decided_at is null))
  );
  comment on table report is 'Reports of plugins by users.';
  comment on column report.decision is 'What the administrator answered to the user.';
  comment on column report.warning is 'What the administrator told the publisher.';
  comment on column report.is_hiding is 'Whether the decision hid the plugin.';
  -- A second report of the same plugin adds nothing while the first is undecided.
  create unique index report_open_once on report (plugin_id, user_id) where state = 'open';
  -- Reports of every state, latest first.
  create index report_newest on report (created_at desc, id desc);
  -- Open reports, oldest first.
  create index report_open on report (created_at, id) where state = 'open';
  -- Decided reports, latest decision first.
  create index report_decided on report (decided_at desc, id desc) where state <> 'open';
  -- The same for one decision, which is fast even for a rare one.
  create index report_by_state on report (state, decided_at desc, id desc) where state <> 'open';
  -- The reports by a user.
  create index report_by_person on report (user_id, id desc);
  -- The reports of a plugin.
  create index report_by_plugin on report (plugin_id, id desc);

  create table audit_trail (
    id bigint generated always as identity primary key,
    actor_id bigint not null,
    action text not null,
    target_kind text not null,
    target_id text not null,
    target_name text not null,
    detail jsonb not null default '{}',
    created_at timestamptz(3) not null default now()
  );
  comment on table audit_trail is 'What administrators did. Rows are only added.';
  comment on column audit_trail.target_name is 'Name of the target at that time.';
  -- The audit log, latest first: all of it, and by each of its filters.
  create index audit_trail_newest on audit_trail (created_at desc, id desc);
  create index audit_trail_by_kind on audit_trail (target_kind, created_at desc, id desc);
  create index audit_trail_by_target on audit_trail (target_id, created_at desc, id desc);
  create index audit_trail_by_action on audit_trail (action, created_at desc, id desc);
  create index audit_trail_by_actor on audit_trail (actor_id, created_at desc, id desc);
`;
