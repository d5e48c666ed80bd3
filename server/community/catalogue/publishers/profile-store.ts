import { sql } from 'kysely';
import type { Language, Texts } from '../../../../shared/languages.ts';
import type { Db } from '../../schema.ts';

/** The profile for its publisher; no language before anything was written. */
export type ProfileRow = {
  handle: string;
  is_public: boolean;
  default_lang: Language | null;
  about: Texts;
  links: string[];
  hidden_reason: string | null;
};

export async function readProfileRow(db: Db, userId: number): Promise<ProfileRow | undefined> {
  const { rows } = await sql<ProfileRow>`
    select p.handle, exists (select from plugin_listing l where l.publisher_id = p.user_id) as is_public,
        r.default_lang, coalesce(r.about, '{}') as about, coalesce(r.links, '{}') as links, r.hidden_reason
      from person p left join publisher_profile r on r.user_id = p.user_id
      where p.user_id = ${userId} and p.deleted_at is null`.execute(db);
  return rows[0];
}

/** Locks a person, and with them their handle; undefined for a deleted account. */
export async function lockHandle(trx: Db, userId: number): Promise<string | undefined> {
  const { rows } = await sql<{ handle: string }>`
    select handle from person where user_id = ${userId} and deleted_at is null for no key update`.execute(
    trx,
  );
  return rows[0]?.handle;
}

type NewProfile = { default_lang: Language; about: Texts; links: string[] };

export async function writeProfile(
  trx: Db,
  userId: number,
  { default_lang, about, links }: NewProfile,
): Promise<void> {
  await sql`
    insert into publisher_profile (user_id, default_lang, about, links)
      values (${userId}, ${default_lang}, ${JSON.stringify(about)}, ${links})
      on conflict (user_id) do update
        set default_lang = excluded.default_lang, about = excluded.about, links = excluded.links`.execute(
    trx,
  );
}
