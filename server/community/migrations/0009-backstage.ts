import { type Kysely, sql } from 'kysely';

/** Data of the backstage: review, audit trail, reports, slots and QR codes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table audit_trail add column target_name text not null default '';
    alter table audit_trail alter column target_name drop default;
    drop index audit_trail_of_target;
    create index audit_trail_by_kind on audit_trail (target_kind, created_at desc, id desc);
    create index audit_trail_by_target on audit_trail (target_id, created_at desc, id desc);
    create index audit_trail_by_action on audit_trail (action, created_at desc, id desc);
    create index audit_trail_by_actor on audit_trail (actor_id, created_at desc, id desc);

    drop index submission_decided;
    create index submission_decided on submission (audit_status, coalesce(decided_at, created_at) desc, id desc)
      where audit_status in (2, 3);

    -- Who deletes a plugin waits for no decision any more.
    create function withdraw_submissions() returns trigger language plpgsql set search_path from current as $$
    begin
      update submission set is_superseded = true
        where plugin_id = new.id and audit_status = 1 and not is_superseded;
      return null;
    end $$;
    create trigger withdraw_submissions after update on plugin
      for each row when (old.deleted_at is null and new.deleted_at is not null)
      execute function withdraw_submissions();

    -- What a reviewer looks for, as it was handed in: words of all languages, publisher and tags.
    create table submission_search (
      submission_id bigint primary key references submission on delete cascade,
      words tsvector not null
    );
    create index submission_search_words on submission_search using gin (words) with (fastupdate = off);
    alter table submission_search alter column words set statistics 1000;
    -- The same of those that wait, a few among many: their index is as small as their list.
    create table waiting_search (
      submission_id bigint primary key references submission on delete cascade,
      words tsvector not null
    );
    create index waiting_search_words on waiting_search using gin (words) with (fastupdate = off);
    create function forget_waiting() returns trigger language plpgsql set search_path from current as $$
    begin
      delete from waiting_search where submission_id = new.id;
      return null;
    end $$;
    create trigger forget_waiting after update on submission for each row
      when ((old.audit_status = 1 and not old.is_superseded) and (new.audit_status <> 1 or new.is_superseded))
      execute function forget_waiting();

    -- Rows whose words are still to be made, which the program does. Append-only, hence no key.
    create table search_pending (
      plugin_id bigint,
      submission_id bigint,
      check (num_nonnulls(plugin_id, submission_id) = 1)
    );
    create function note_new_submission() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into search_pending (submission_id) select id from added;
      return null;
    end $$;
    create trigger note_new_submission after insert on submission
      referencing new table as added for each statement execute function note_new_submission();
    create function note_new_name() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into search_pending (plugin_id) select id from plugin where publisher_id = new.user_id;
      insert into search_pending (submission_id)
        select s.id from plugin p join submission s on s.plugin_id = p.id where p.publisher_id = new.user_id;
      return null;
    end $$;
    create trigger note_new_name after update on person
      for each row when (old.nick_name <> new.nick_name) execute function note_new_name();
    insert into search_pending (plugin_id) select id from plugin;
    insert into search_pending (submission_id) select id from submission;

    alter table report add column kind text not null default 'other'
      check (kind in ('malicious', 'broken', 'infringing', 'offensive', 'misleading', 'other'));
    alter table report alter column kind drop default;
    -- Open ones first, the oldest of them on top; what is decided by its decision.
    drop index report_open;
    create index report_open on report (created_at, id) where state = 'open';
    create index report_decided on report (decided_at desc, id desc) where state <> 'open';
    create index report_by_person on report (user_id, id desc);
    create index report_by_plugin on report (plugin_id, id desc);

    -- Exactly one QR code is the one by which people join the feedback group.
    alter table qr_code add column is_contact boolean not null default false;
    alter table qr_code add column created_at timestamptz(3) not null default now();
    create unique index qr_code_contact on qr_code (is_contact) where is_contact;

    -- What is on now is asked for by every visitor.
    create index resource_slot_to_come on resource_slot (end_at) where not is_disabled;
  `.execute(db);
}
