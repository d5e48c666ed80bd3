import type { Rows } from './rows.ts';

/** A refresh token of a client; the database has only its hash. */
export const REFRESH_TOKEN = 'held-by-somebody';

/** Accounts and sessions after some use, with rows in every table, by the migration whose schema they fit. */
export const IDENTITY_ROWS: readonly Rows[] = [
  {
    from: '0001',
    sql: `
      insert into account (user_name, user_name_key, email, email_key, nick_name, nick_name_key, created_at)
        values ('ada', 'ada', 'ada@example.org', 'ada@example.org', 'Ada', 'ada', '2025-01-01Z');
      insert into enterprise_member (user_id, e_id, department) select user_id, 9, 'Drawing' from account;
      insert into attempt (subject, attempts, last_at, blocked_until) values ('\\xaa', 1, now(), now());
      insert into session (sid, user_id, login_method, created_at, expires_at, last_active_at)
        select gen_random_uuid(), user_id, 'local', now() - interval '1 day', now() + interval '1 day', now() from account;
      insert into refresh_token (token_hash, sid, created_at, expires_at)
        select sha256('${REFRESH_TOKEN}'), sid, created_at, expires_at from session;
      insert into authorization_code (code_hash, user_id, login_method, redirect_uri, created_at, expires_at)
        select '\\xbb', user_id, 'local', 'https://square.example/', now(), now() + interval '1 minute' from account;
      insert into member_change (actor_id, user_id, action, detail, created_at)
        select user_id, user_id, 'role', '{}', now() from account;
      insert into external_identity (source, subject, user_id, created_at, last_sign_in_at)
        select 'corp', 'ada', user_id, now(), now() from account;
      insert into used_proof (source, proof_hash, expires_at) values ('corp', '\\xcc', now() + interval '1 hour');
      insert into password_link (token_hash, user_id, expires_at)
        select '\\xdd', user_id, now() + interval '1 hour' from account;
      insert into sso_login (state_hash, source, secrets, parameters, expires_at)
        values ('\\x01', 'corp', '{}', '{}', now() + interval '1 hour');
      insert into pending_bind (id_hash, source, subject, user_id, expires_at)
        select '\\x02', 'corp', 'ada2', user_id, now() + interval '1 hour' from account;
      insert into second_factor_setup (user_id, sealed_secret, expires_at)
        select user_id, 'sealed', now() + interval '1 hour' from account;
      insert into sign_in_challenge (token_hash, user_id, kind, login_method, source, redirect_uri, created_at, expires_at)
        select '\\x03', user_id, 'code', 'local', 'local', 'https://square.example/', now(), now() + interval '1 hour'
          from account;
      insert into account_change (user_id, changed_at) select user_id, now() from account;
      insert into role_change (user_id, role, changed_at) select user_id, 0, now() from account;
      insert into notice_mail (key, user_id, kind, data, created_at, next_try_at)
        select gen_random_uuid(), user_id, 'approved', '{}', now(), now() from account;
      insert into mail_opt_out (user_id, kind, created_at) select user_id, 'rejected', now() from account;
      insert into enterprise (e_id, name) values (9, 'Example & Sons');
      insert into sign_up_link (token_hash, email, email_key, tencent_docs, expires_at)
        values ('\\xee', 'new@example.org', 'new@example.org', false, now() + interval '1 day');
      insert into address_link (token_hash, user_id, email_key, expires_at)
        select '\\xee', user_id, 'ada@example.org', now() + interval '1 day' from account;
      insert into known_network (subject, last_at) values ('\\xff', now());
      with other as (
        insert into account (user_name, user_name_key, email, nick_name, nick_name_key, created_at)
          values ('bob', 'bob', '', 'Bob', 'bob', '2025-01-01Z') returning user_id
      ), factor as (
        insert into second_factor (user_id, sealed_secret, last_step, created_at)
          select user_id, 'sealed', 1, now() from other
      )
      insert into recovery_code (user_id, code_hash) select user_id, '\\x04' from other;`,
  },
  {
    from: '0002',
    sql: `
      insert into account_mail (sealed, created_at, expires_at, next_try_at)
        values ('of a lost key', now(), now() + interval '1 day', 'infinity');`,
  },
  {
    from: '0006',
    sql: `
      insert into oauth_state (model, id_hash, sealed, expires_at)
        values ('RefreshToken', '\\xaa', 'of a lost key', now() + interval '1 day');`,
  },
  {
    from: '0008',
    sql: `
      insert into tool (client_id, client_name, redirect_uris, grant_types, scope_list, created_at, changed_at)
        values ('canvas', 'Canvas', '{http://127.0.0.1/}', '{authorization_code}', '{plugins:read}', now(), now());
      insert into tool_change (actor_id, client_id, client_name, action, detail, created_at)
        select user_id, 'canvas', 'Canvas', 'tool.register', '{}', now() from account where user_name = 'ada';`,
  },
];
