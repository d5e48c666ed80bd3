import type { Rows } from './rows.ts';

/** A refresh token of a client; the database has only its hash. */
export const REFRESH_TOKEN = 'held-by-somebody';

/** Accounts, sessions and related rows, as releases up to each migration wrote them. */
export const IDENTITY_ROWS: readonly Rows[] = [
  {
    from: '0001',
    until: '0002',
    sql: `insert into account (user_name, user_name_key, email, email_key, nick_name, created_at)
      values ('ada', 'ada', 'ada@example.org', 'ada@example.org', 'Ada', '2025-01-01Z')`,
  },
  {
    from: '0002',
    sql: `insert into account (user_name, user_name_key, email, email_key, nick_name, nick_name_key, created_at)
      values ('ada', 'ada', 'ada@example.org', 'ada@example.org', 'Ada', 'ada', '2025-01-01Z')`,
  },
  {
    from: '0001',
    sql: `
      insert into enterprise_member (user_id, e_id, department) select user_id, 9, 'Drawing' from account;
      insert into attempt (subject, attempts, last_at, blocked_until) values ('\\xaa', 1, now(), now());`,
  },
  {
    from: '0001',
    until: '0007',
    sql: `
      insert into session (sid, user_id, login_method, created_at, expires_at)
        select gen_random_uuid(), user_id, 'local', now() - interval '1 day', now() + interval '1 day' from account;
      insert into refresh_token (token_hash, sid, created_at, expires_at)
        select sha256('${REFRESH_TOKEN}'), sid, created_at, expires_at from session;`,
  },
  {
    from: '0007',
    sql: `
      insert into session (sid, user_id, login_method, created_at, expires_at, last_active_at)
        select gen_random_uuid(), user_id, 'local', now() - interval '1 day', now() + interval '1 day', now() from account;
      insert into refresh_token (token_hash, sid, created_at, expires_at)
        select sha256('${REFRESH_TOKEN}'), sid, created_at, expires_at from session;`,
  },
  {
    from: '0001',
    sql: `insert into authorization_code (code_hash, user_id, login_method, redirect_uri, created_at, expires_at)
      select '\\xbb', user_id, 'local', 'https://square.example/', now(), now() + interval '1 minute' from account`,
  },
  {
    from: '0002',
    sql: `insert into member_change (actor_id, user_id, action, detail, created_at)
      select user_id, user_id, 'role', '{}', now() from account`,
  },
  {
    from: '0003',
    sql: `
      insert into external_identity (source, subject, user_id, created_at, last_sign_in_at)
        select 'corp', 'ada', user_id, now(), now() from account;
      insert into used_proof (source, proof_hash, expires_at) values ('corp', '\\xcc', now() + interval '1 hour');`,
  },
  {
    from: '0004',
    sql: `insert into password_link (token_hash, user_id, expires_at)
      select '\\xdd', user_id, now() + interval '1 hour' from account`,
  },
  {
    from: '0008',
    sql: `insert into enterprise (e_id, name) values (9, 'Example & Sons')`,
  },
  {
    from: '0011',
    sql: `
      insert into sign_up_link (token_hash, email, email_key, tencent_docs, expires_at)
        values ('\\xee', 'new@example.org', 'new@example.org', false, now() + interval '1 day');
      insert into address_link (token_hash, user_id, email_key, expires_at)
        select '\\xee', user_id, 'ada@example.org', now() + interval '1 day' from account;
      insert into known_network (subject, last_at) values ('\\xff', now());`,
  },
];
