import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Milliseconds that a token replaced before this migration was still valid. */
const GRACE = 60_000;

/** Fields of sessions that their users see, and detection of invalidated refresh tokens. */
export const ownSessions: Migration = {
  async up(db) {
    await sql`
      alter table session add column browser text not null default '',
        add column system text not null default '',
        add column last_active_at timestamptz`.execute(db);
    await sql`
      update session set last_active_at = coalesce(
        (select max(used_at) from refresh_token where refresh_token.sid = session.sid), created_at)`.execute(
      db,
    );
    await sql`alter table session alter column last_active_at set not null`.execute(db);
    await sql`
      alter table refresh_token add column replaced_at timestamptz,
        -- When it was first used although it was good no more.
        add column misused_at timestamptz,
        drop column used_at`.execute(db);
    await sql`
      update refresh_token as token
        set replaced_at = token.expires_at - ${GRACE} * interval '1 millisecond', expires_at = session.expires_at
        from session where session.sid = token.sid and token.expires_at < session.expires_at`.execute(db);
  },
};
