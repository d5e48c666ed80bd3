import type { Rows } from './rows.ts';

const PICTURE = 'a'.repeat(32);
const PACKAGE = 'b'.repeat(64);

/** A small catalogue after some use, with rows in every table, by the migration whose schema they fit. */
export const COMMUNITY_ROWS: readonly Rows[] = [
  {
    from: '0001',
    sql: `
      insert into person (user_id, nick_name) values (100, 'Maker'), (7, 'Ada');
      insert into picture (picture_key, width, height, widths) values ('${PICTURE}', 640, 360, '{320,640}');
      insert into stored_file (file_key, extension, mime_type, bytes)
        values ('${PACKAGE}', 'json', 'application/json', 12);
      begin;
      insert into tag (code, name, position) values ('colour', '{"en-US":"Colour"}', 1);
      insert into plugin (plugin_key, publisher_id, default_lang, audit_status, icon_key, cover_key, deleted_at) values
        ('passed-one', 100, 'en-US', 2, '${PICTURE}', '${PICTURE}', null),
        ('waiting-one', 100, 'en-US', 1, null, null, null),
        ('refused-one', 100, 'en-US', 3, null, null, null),
        ('deleted-one', 100, 'en-US', 2, null, null, now());
      update plugin set support = 'Write to us' where plugin_key = 'passed-one';
      insert into plugin_text (plugin_id, lang, name, intro, description)
        select id, 'en-US', 'Gradient ' || plugin_key, 'An intro', 'A description' from plugin;
      insert into plugin_version (plugin_id, version, audit_status, package_key, created_by)
        select id, '1.0.0', audit_status, '${PACKAGE}', 100 from plugin;
      insert into plugin_version (plugin_id, version, audit_status, created_at)
        select id, '0.9.0', 2, now() - interval '1 day' from plugin where plugin_key = 'passed-one';
      insert into plugin_media (plugin_id, position, picture_key)
        select id, 1, '${PICTURE}' from plugin where plugin_key = 'passed-one';
      insert into plugin_tag (plugin_id, tag_id) select plugin.id, tag.id from plugin, tag;
      update plugin set current_version_id = v.id from plugin_version v
        where v.plugin_id = plugin.id and v.version = '1.0.0' and plugin.audit_status = 2;
      commit;
      insert into plugin_like (user_id, plugin_id) select person.user_id, plugin.id from person, plugin
        where plugin_key = 'passed-one';
      insert into plugin_install (user_id, plugin_id) select 7, id from plugin where plugin_key = 'passed-one';
      insert into plugin_view (plugin_id, day, view_count)
        select id, '2026-01-02', 9 from plugin where plugin_key = 'passed-one';
      update plugin_counter c set praise_count = 2, install_count = 1, view_count = 9
        from plugin p where p.id = c.plugin_id and plugin_key = 'passed-one';
      insert into plugin_search (plugin_id, name, headline, "full")
        select plugin_id, to_tsvector('simple', name), to_tsvector('simple', name), to_tsvector('simple', name)
          from plugin_text;
      insert into recommendation (plugin_id, position) select id, 1 from plugin where plugin_key = 'passed-one';
      insert into silent_install (plugin_id) select id from plugin where plugin_key = 'passed-one';
      insert into resource_slot (plugin_id, link, start_at, end_at)
        select id, 'https://example.com/', now() - interval '1 day', now() + interval '1 day'
          from plugin where plugin_key = 'passed-one';
      insert into banner (redirect_url, default_lang, title, picture_key)
        values ('https://example.com/', 'en-US', '{"en-US":"Look"}', '${PICTURE}');
      insert into qr_code (name, picture_key) values ('group', '${PICTURE}');
      insert into activity (id, view_num, participate_num) values (30, 5, 6);
      insert into featured_work (title, default_lang, author, url, picture_key)
        values ('{"en-US":"Work"}', 'en-US', 'Ada', 'https://example.com/', '${PICTURE}');
      insert into setting (name, value) values ('kept', '{"a":1}');
      insert into submission (plugin_id, plugin_version_id, brings_version, is_first, listing, audit_status, reason,
          decided_at, created_by)
        select p.id, v.id, true, true, jsonb_build_object('default_lang', 'en-US', 'name', '{"en-US":"Gradient"}'::jsonb,
            'intro', '{}'::jsonb, 'description', '{}'::jsonb, 'tags', '[]'::jsonb, 'contact', '', 'support', 'Write to us',
            'copyright', '{"kind":"author","holder":""}'::jsonb, 'plugin_mark', '', 'icon_key', null, 'cover_key', null,
            'panel_key', null, 'media', '[]'::jsonb),
            p.audit_status, case when p.audit_status = 3 then 'Too plain' end, case when p.audit_status > 1 then now() end, 100
          from plugin p join plugin_version v on v.plugin_id = p.id and v.version = '1.0.0';
      insert into review (submission_id, audit_status, reason, reviewer_id)
        select id, 3, 'Too plain', 1 from submission where audit_status = 3;
      insert into publish_token (user_id, name, secret_hash, hint, expires_at)
        values (100, 'ci', sha256('secret'), 'ab', now() + interval '1 day');
      insert into report (plugin_id, user_id, reason, kind)
        select id, 7, 'Bad', 'broken' from plugin where plugin_key = 'passed-one';
      insert into audit_trail (actor_id, action, target_kind, target_id, target_name)
        values (1, 'plugin.hide', 'plugin', 'x', 'X');
      insert into plugin_version (plugin_id, version, audit_status, is_hidden, created_at)
        select id, v, 2, true, now() - interval '2 days' from plugin, unnest('{0.7.0,0.8.0}'::text[]) v
          where plugin_key = 'passed-one';
      insert into audit_trail (actor_id, action, target_kind, target_id, target_name, detail) values
        (1, 'version.hide', 'plugin', 'passed-one', 'Gradient', '{"version":"0.7.0"}'),
        (1, 'version.show', 'plugin', 'passed-one', 'Gradient', '{"version":"0.7.0"}'),
        (1, 'version.hide', 'plugin', 'passed-one', 'Gradient', '{"version":"0.8.0"}');
      insert into mark (code, name, color, position) values ('official', '{"en-US":"Official"}', 'gray', 1);
      update plugin set plugin_mark = 'official' where plugin_key = 'passed-one';
      insert into submission_file (submission_id, picture_key)
        select id, '${PICTURE}' from submission where audit_status = 2;
      insert into review_opening (submission_id, user_id, opened_at)
        select id, 1, now() from submission where audit_status = 1;
      insert into submission_search (submission_id, words) select id, to_tsvector('simple', 'gradient') from submission;
      insert into waiting_search (submission_id, words)
        select id, to_tsvector('simple', 'gradient') from submission where audit_status = 1;
      insert into person_picture (user_id, picture_key) values (7, '${PICTURE}');
      insert into notice (user_id, kind, data, created_at) values (100, 'approved', '{}', now());
      insert into help_category (name, default_lang, position) values ('{"en-US":"Basics"}', 'en-US', 1);
      insert into help_article (category_id, title, body, default_lang, is_published, position)
        select id, '{"en-US":"Start"}', '{"en-US":"Press start."}', 'en-US', true, 1 from help_category;
      insert into help_article_picture (article_id, picture_key) select id, '${PICTURE}' from help_article;
      insert into help_article_search (article_id, updated_at, title, words, plain)
        select id, updated_at, to_tsvector('simple', 'start'), to_tsvector('simple', 'start press'),
            '{"en-US":"Press start."}' from help_article;
      insert into tally (name, total) values ('trail', 0);
      insert into day_figure (plugin_id, day, figure, total) select id, '2026-01-01', 'views', 3
        from plugin where plugin_key = 'passed-one';
      insert into plugin_trial (user_id, plugin_id) select 100, id from plugin where plugin_key = 'waiting-one';`,
  },
  {
    from: '0007',
    sql: `
      insert into failed_change (kind, user_id, change, tries, next_try_at)
        values ('account', 7, '{"kind":"account","id":1,"user_id":7,"shown":null,"plugins":"keep","changed_at":0}', 1,
          'infinity');`,
  },
  {
    from: '0008',
    sql: `insert into recent_view (view_hash, counted_at) values (decode(repeat('ab', 16), 'hex'), 'infinity');`,
  },
  {
    from: '0012',
    sql: `
      insert into plugin_text (plugin_id, lang, name, support)
        select id, 'ja-JP', '', 'ご連絡ください' from plugin where plugin_key = 'passed-one';
      update submission set listing = listing || '{"support_translations":{"ja-JP":"ご連絡ください"}}';`,
  },
  {
    from: '0013',
    sql: `
      insert into approval_key (kid, public_jwk) values ('earlier', '{"kty":"OKP","crv":"Ed25519","x":"AA","kid":"earlier"}');
      insert into transparency_log (sequence, at, kind, plugin_key, previous_hash, hash)
        values (1, now(), 'withdraw', 'gone-one', repeat('0', 64), repeat('a', 64));`,
  },
  {
    from: '0002',
    until: '0014',
    sql: `update plugin set withdrawn_at = now(), withdrawn_by = 1, withdrawn_reason = 'Harmful'
      where plugin_key = 'refused-one';`,
  },
  {
    from: '0014',
    sql: `
      update plugin set withdrawn_at = now() where plugin_key = 'refused-one';
      insert into withdrawal (plugin_id, reason, texts, must_stop, is_public, withdrawn_by, withdrawn_at)
        select id, 'policy', '{"en-US":"Harmful"}', true, false, 1, withdrawn_at from plugin
          where plugin_key = 'refused-one';`,
  },
  {
    from: '0015',
    sql: `
      insert into catalogue_change (plugin_id, position, was_public)
        select id, row_number() over (order by id), audit_status = 2 from plugin;
      update catalogue_revision set position = (select max(position) from catalogue_change)`,
  },
  {
    from: '0016',
    sql: `
      insert into used_proof (proof_hash, expires_at) values (decode(repeat('ab', 32), 'hex'), now() + interval '1 day');`,
  },
  {
    from: '0017',
    sql: `
      update plugin_version set host_range = 'pixso >=4.2';
      update plugin_install i set hold = 'pinned', held_version_id = p.current_version_id
        from plugin p where p.id = i.plugin_id;`,
  },
  {
    from: '0018',
    sql: `
      update plugin set deprecated_at = now() where plugin_key = 'passed-one';
      insert into deprecation (plugin_id, texts) select id, '{"en-US":"Use another"}' from plugin
        where plugin_key = 'passed-one';
      insert into plugin_download (download_hash, plugin_version_id)
        select decode(repeat('cd', 16), 'hex'), current_version_id from plugin where plugin_key = 'passed-one';`,
  },
  {
    from: '0019',
    sql: 'insert into update_preference (user_id, min_age_days) values (3, 7);',
  },
  {
    from: '0020',
    sql: `
      insert into withdrawal_proposal (plugin_id, is_withdrawn, reason, texts, must_stop, proposed_by, proposed_at)
        select id, true, 'policy', '{"en-US":"Asks for money"}', false, 3, now() from plugin
          where plugin_key = 'passed-one';`,
  },
  {
    from: '0021',
    sql: "insert into missed_search (day, keyword, count) values (current_date, 'wireframe', 7);",
  },
  {
    from: '0023',
    sql: `
      insert into former_handle (handle, user_id) values ('earlier-one', 100);
      insert into publisher_profile (user_id, default_lang, about, links)
        values (100, 'en-US', '{"en-US":"Makes plugins"}', '{https://example.org/}');
      insert into publisher_report (publisher_id, user_id, kind, reason, created_at)
        values (100, 7, 'other', 'Not true', now());`,
  },
  {
    from: '0025',
    sql: `
      insert into follow (user_id, plugin_id, created_at) select 7, id, now() from plugin where plugin_key = 'passed-one';
      insert into follow (user_id, tag_id, created_at) select 7, id, now() from tag;
      insert into follow (user_id, publisher_id, created_at) values (7, 100, now());
      insert into publication (plugin_version_id, plugin_id, is_first, published_at)
        select current_version_id, id, true, now() from plugin where plugin_key = 'passed-one';
      insert into notice_off (user_id, kind) values (7, 'followed_tag');`,
  },
  {
    from: '0026',
    sql: `
      insert into collection (collection_key, user_id, title, access, created_at, updated_at)
        values (repeat('c', 16), 7, 'Tools', 'public', now(), now());
      insert into collection_plugin (collection_id, plugin_id, position, added_at)
        select c.id, p.id, 1, now() from collection c, plugin p where plugin_key = 'passed-one';
      insert into collection_report (collection_id, user_id, kind, reason, created_at)
        select id, 100, 'other', 'Why?', now() from collection;`,
  },
  {
    from: '0027',
    sql: `
      update similar_round set after_id = 1, started_at = now();
      insert into similar_plugin (plugin_id, similar_id, score) select a.id, b.id, 1.5 from plugin a, plugin b
        where a.plugin_key = 'passed-one' and b.plugin_key = 'refused-one';`,
  },
  {
    from: '0028',
    sql: `
      insert into publisher_domain (user_id, domain, shown_as, token, verified_at, way, next_check_at)
        values (100, 'example.org', 'example.org', repeat('a', 32), now(), 'dns', now() + interval '1 day');
      insert into verification_decision (user_id, is_verified, reason, decided_by, decided_at)
        values (7, true, 'Known to us', 3, now());
      update person set verified_as = 'example.org' where user_id = 100;`,
  },
  {
    from: '0030',
    sql: `
      insert into active_person (user_id, active_on) values (7, current_date);
      update plugin_counter set active_count = 1;
      insert into part_figure (plugin_id, figure, day, part, total)
        select id, 'views', date '2026-01-01', 'search', 3 from plugin where plugin_key = 'passed-one';
      insert into install_cohort (plugin_id, week, install_count, kept_1)
        select id, date '2026-01-05', 5, 4 from plugin where plugin_key = 'passed-one';
      insert into found_keyword (plugin_id, month, keyword, people_count)
        select id, date '2026-01-01', 'wireframe', 5 from plugin where plugin_key = 'passed-one';
      insert into keyword_use (use_hash, month) values (decode(repeat('ab', 16), 'hex'), date '2999-01-01');
      update insight_round set after_id = 1, started_at = now();`,
  },
  {
    from: '0031',
    sql: `
      update trend_round set after_id = 1, started_at = now();
      insert into plugin_trend (plugin_id, score, is_new) select id, 1.5, true from plugin where plugin_key = 'passed-one';
      update tag set intro = '{"en-US":"What a tag is for."}';`,
  },
  {
    from: '0032',
    sql: `
      insert into publisher_pending (user_id) values (100);
      insert into publisher_search (user_id, words) values (100, array_to_tsvector('{acme}'));
      insert into verified_name (user_id, skeleton, keys) values (100, 'acme', '{acme}');
      update publisher_domain set unreachable_since = now();`,
  },
  {
    from: '0033',
    sql: `
      insert into collection (collection_key, title, access, created_at, updated_at)
        values (repeat('e', 16), '', 'public', now(), now());
      insert into editors_collection (id, slug, title, description, default_lang)
        select id, 'icon-tools', '{"en-US":"Icon tools"}', '{"en-US":"What icons are made with."}', 'en-US'
          from collection where user_id is null;`,
  },
  {
    from: '0035',
    sql: `
      insert into kit (name, e_id, department, created_at, updated_at) values ('Designers', 3, 'Design', now(), now());
      insert into kit_plugin (kit_id, plugin_id, position)
        select k.id, p.id, 1 from kit k, plugin p where plugin_key = 'passed-one';
      update collection_report set is_upheld = false, decided_at = now(), decided_by = 3;`,
  },
  {
    from: '0036',
    sql: `
      insert into plugin_media (plugin_id, position, picture_key, is_before)
        select m.plugin_id, 2, m.picture_key, true from plugin_media m where m.picture_key is not null and m.position = 1
          order by m.plugin_id, m.position limit 1;`,
  },
  {
    from: '0037',
    sql: `
      insert into plugin_text (plugin_id, lang, name, intro, description)
        select id, 'ja-JP', '文字置換', '', '' from plugin where plugin_key = 'refused-one';
      insert into japanese_name (plugin_id, name, readings)
        select id, '文字置換', '{モジチカン,チカン}' from plugin where plugin_key = 'refused-one';`,
  },
];
