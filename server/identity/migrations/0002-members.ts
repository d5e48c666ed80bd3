import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { accountKey } from '../accounts/account.ts';

/** Fields that super administrators see, and the audit trail of their changes. */
export const members: Migration = {
  async up(db) {
    await sql`
      alter table account add column last_sign_in_at timestamptz,
        -- All sessions were ended then; a one-time code of before opens none.
        add column signed_out_at timestamptz,
        add column nick_name_key text not null default ''`.execute(db);
    await sql`
      update account set last_sign_in_at =
        (select max(created_at) from session where session.user_id = account.user_id)`.execute(db);
    const { rows } = await sql<{ user_id: number; nick_name: string }>`
      select user_id, nick_name from account`.execute(db);
    const keys = rows.map(({ nick_name }) => accountKey(nick_name) ?? '');
    await sql`
      update account set nick_name_key = known.key
        from unnest(${rows.map(({ user_id }) => user_id)}::bigint[], ${keys}::text[]) as known (user_id, key)
        where account.user_id = known.user_id`.execute(db);
    await sql`alter table account alter column nick_name_key drop default`.execute(db);
    await sql`create index account_by_role on account (role, user_id desc) where role <> 0`.execute(db);
    await sql`
      create table member_change (
        id bigint generated always as identity primary key,
        actor_id bigint not null references account on delete cascade,
        user_id bigint not null references account on delete cascade,
        action text not null,
        detail jsonb not null check (jsonb_typeof(detail) = 'object'),
        created_at timestamptz not null
      )`.execute(db);
    await sql`create index member_change_by_actor on member_change (actor_id)`.execute(db);
    await sql`create index member_change_of_member on member_change (user_id)`.execute(db);
  },
};
