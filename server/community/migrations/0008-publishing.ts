import { type Kysely, sql } from 'kysely';

/** Submissions, separate from the published listings; publish tokens of command lines. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table person add column role smallint not null default 0 check (role in (0, 1, 2));

    alter table picture add column bytes bigint not null default 0 check (bytes >= 0);

    alter table plugin_version
      add column kind text not null default 'new' check (kind in ('new', 'fixed'));

    -- Bytes that were ever stored for a plugin: what its publisher's quota counts.
    alter table plugin add column stored_bytes bigint not null default 0 check (stored_bytes >= 0);
    create index plugin_bytes_of_publisher on plugin (publisher_id) include (stored_bytes);

    -- A listing as it was handed in, with a version or for the one that is there. What others see changes when it
    -- passes. A newer one takes the place of one that waits.
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
    create unique index submission_waiting on submission (plugin_id) where audit_status = 1 and not is_superseded;
    create index submission_queue on submission (created_at, id) where audit_status = 1 and not is_superseded;
    create index submission_decided on submission (audit_status, decided_at desc, id desc)
      where audit_status in (2, 3);
    create index submission_newest on submission (created_at desc, id desc) where not is_superseded;
    create index submission_of_plugin on submission (plugin_id, id desc);
    create index submission_of_version on submission (plugin_version_id);
    create index submission_by_creator on submission (created_by, created_at desc);

    -- Pictures and videos that a submission's listing names: they stay as long as it does.
    create table submission_file (
      submission_id bigint not null references submission on delete cascade,
      picture_key text references picture,
      file_key text references stored_file,
      check (num_nonnulls(picture_key, file_key) = 1)
    );
    create unique index submission_file_picture on submission_file (submission_id, picture_key)
      where picture_key is not null;
    create unique index submission_file_file on submission_file (submission_id, file_key)
      where file_key is not null;
    create index submission_file_by_picture on submission_file (picture_key) where picture_key is not null;
    create index submission_file_by_file on submission_file (file_key) where file_key is not null;
    -- The sweep asks of every picture and file who shows it.
    create index plugin_by_icon on plugin (icon_key) where icon_key is not null;
    create index plugin_by_cover on plugin (cover_key) where cover_key is not null;
    create index plugin_by_panel on plugin (panel_key) where panel_key is not null;
    create index plugin_media_by_picture on plugin_media (picture_key) where picture_key is not null;
    create index plugin_media_by_file on plugin_media (file_key) where file_key is not null;
    create index plugin_version_by_package on plugin_version (package_key) where package_key is not null;

    -- Every decision there was; the submission holds the last one.
    create table review_before as select * from review;
    drop table review;
    create table review (
      id bigint generated always as identity primary key,
      submission_id bigint not null references submission on delete cascade,
      audit_status smallint not null check (audit_status in (2, 3)),
      reason text,
      reviewer_id bigint not null,
      created_at timestamptz(3) not null default now(),
      check (audit_status = 2 or reason <> '')
    );
    create index review_of_submission on review (submission_id, id desc);

    -- What is there already has passed, or waits, as its plugin says.
    insert into submission (plugin_id, plugin_version_id, brings_version, is_first, listing, audit_status, reason,
        decided_by, decided_at, created_by, created_at)
      select p.id, v.id, true, p.current_version_id is null, jsonb_build_object(
          'default_lang', p.default_lang,
          'name', texts.name, 'intro', texts.intro, 'description', texts.description,
          'tags', (select coalesce(jsonb_agg(tag.code order by pt.position, tag.position), '[]')
            from plugin_tag pt join tag on tag.id = pt.tag_id where pt.plugin_id = p.id),
          'contact', p.contact, 'support', p.support,
          'copyright', jsonb_build_object('kind', p.copyright_kind, 'holder', p.copyright_holder),
          'plugin_mark', p.plugin_mark,
          'icon_key', p.icon_key, 'cover_key', p.cover_key, 'panel_key', p.panel_key,
          'media', (select coalesce(jsonb_agg(
              case when m.picture_key is null then jsonb_build_object('file_key', m.file_key)
                else jsonb_build_object('picture_key', m.picture_key) end order by m.position), '[]')
            from plugin_media m where m.plugin_id = p.id)
        ), p.audit_status, case when p.audit_status = 3 then coalesce(nullif(last.reason, ''), '-') end,
          case when p.audit_status <> 1 then last.reviewer_id end,
          case when p.audit_status <> 1 then p.updated_at end, p.publisher_id, v.created_at
      from plugin p
      cross join lateral (
        select jsonb_object_agg(lang, name) as name, jsonb_object_agg(lang, intro) as intro,
            jsonb_object_agg(lang, description) as description
          from plugin_text where plugin_id = p.id
      ) texts
      join plugin_version v on v.id = coalesce(p.current_version_id,
        (select id from plugin_version where plugin_id = p.id order by created_at desc, id desc limit 1))
      left join lateral (
        select reason, reviewer_id from review_before r where r.plugin_version_id = v.id
          order by r.created_at desc, r.id desc limit 1
      ) last on true
      where texts.name is not null;
    insert into review (submission_id, audit_status, reason, reviewer_id, created_at)
      select s.id, r.audit_status, r.reason, r.reviewer_id, r.created_at
        from review_before r join submission s using (plugin_version_id) order by r.id;
    drop table review_before;
    insert into submission_file (submission_id, picture_key)
      select distinct s.id, k.key from submission s join plugin p on p.id = s.plugin_id
        cross join lateral (
          select unnest(array[p.icon_key, p.cover_key, p.panel_key]) as key
          union select picture_key from plugin_media where plugin_id = p.id
        ) k where k.key is not null;
    insert into submission_file (submission_id, file_key)
      select distinct s.id, m.file_key from submission s join plugin_media m on m.plugin_id = s.plugin_id
        where m.file_key is not null;

    -- What a person has installed, newest first.
    create index plugin_install_of_person on plugin_install (user_id, installed_at desc, plugin_id desc)
      where uninstalled_at is null;

    -- Only a hash is kept: the secret is as strong as a key, so a fast hash does.
    create table publish_token (
      id bigint generated always as identity primary key,
      user_id bigint not null references person,
      name text not null,
      secret_hash bytea not null unique check (length(secret_hash) = 32),
      hint text not null,
      plugin_id bigint references plugin on delete cascade,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      last_used_at timestamptz(3),
      revoked_at timestamptz(3)
    );
    create index publish_token_of_person on publish_token (user_id, created_at desc, id desc);
    create index publish_token_of_plugin on publish_token (plugin_id) where plugin_id is not null;
  `.execute(db);
}
