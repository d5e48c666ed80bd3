import { sql } from 'kysely';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import { publisherFrom } from '../../people/users.ts';
import type { Db } from '../../schema.ts';
import type { KeywordQuery } from '../search/query.ts';

/** Whether names wait to be written. */
export async function hasPending(db: Db): Promise<boolean> {
  const { rows } = await sql`select from publisher_pending limit 1`.execute(db);
  return rows.length > 0;
}

/** Takes people from the queue. @returns their ids, each once, and the number of rows taken */
export async function takePending(trx: Db, limit: number): Promise<{ ids: number[]; taken: number }> {
  const { rows } = await sql<{ user_id: number }>`
    delete from publisher_pending where ctid = any (array(
      select ctid from publisher_pending limit ${limit} for update skip locked
    )) returning user_id`.execute(trx);
  return { ids: [...new Set(rows.map(({ user_id }) => user_id))], taken: rows.length };
}

/** What a person is called, and whether visitors find plugins of theirs. */
export type NamedRow = {
  user_id: number;
  nick_name: string;
  handle: string;
  verified_as: string | null;
  is_public: boolean;
};

export async function readNamed(db: Db, userIds: readonly number[]): Promise<NamedRow[]> {
  const { rows } = await sql<NamedRow>`
    select p.user_id, p.nick_name, p.handle, p.verified_as,
        exists (select from plugin_listing l where l.publisher_id = p.user_id) as is_public
      from person p where p.user_id = any (${[...userIds]}::bigint[]) and p.deleted_at is null`.execute(db);
  return rows;
}

export type SearchRow = { user_id: number; words: string[] };
export type VerifiedNameRow = { user_id: number; skeleton: string; keys: string[] };

/** Replaces what is known of the names of these people. */
export async function writeNames(
  trx: Db,
  userIds: readonly number[],
  { searched, verified }: { searched: readonly SearchRow[]; verified: readonly VerifiedNameRow[] },
): Promise<void> {
  const ids = [...userIds];
  await sql`delete from publisher_search where user_id = any (${ids}::bigint[])`.execute(trx);
  await sql`delete from verified_name where user_id = any (${ids}::bigint[])`.execute(trx);
  await sql`
    insert into publisher_search (user_id, words)
      select d.user_id, array_to_tsvector(d.words)
        from jsonb_to_recordset(${JSON.stringify(searched)}::jsonb) as d (user_id bigint, words text[])`.execute(
    trx,
  );
  await sql`
    insert into verified_name (user_id, skeleton, keys)
      select d.user_id, d.skeleton, d.keys
        from jsonb_to_recordset(${JSON.stringify(verified)}::jsonb)
          as d (user_id bigint, skeleton text, keys text[])`.execute(trx);
}

export type VerifiedName = { skeleton: string; nick_name: string; handle: string };

/** More names than this that are alike say nothing more. */
const ALIKE_MAX = 50;

/** Names of verified publishers with one of these keys, but for those of a person and of who has proved the same domain. */
export async function findVerifiedNames(
  db: Db,
  keys: readonly string[],
  exceptId: number,
): Promise<VerifiedName[]> {
  const { rows } = await sql<VerifiedName>`
    select n.skeleton, p.nick_name, p.handle
      from verified_name n join person p on p.user_id = n.user_id
      where n.keys && ${[...keys]}::text[] and n.user_id <> ${exceptId} and p.verified_as is not null
        and (p.verified_as = '' or p.verified_as is distinct from (
          select verified_as from person where user_id = ${exceptId}))
      order by n.user_id limit ${ALIKE_MAX}`.execute(db);
  return rows;
}

/** Whether a person is verified, and whether visitors find plugins of theirs. */
export async function readStanding(
  db: Db,
  userId: number,
): Promise<{ is_verified: boolean; is_public: boolean }> {
  const { rows } = await sql<{ is_verified: boolean; is_public: boolean }>`
    select exists (
        select from person where user_id = ${userId} and verified_as is not null
      ) as is_verified,
      exists (select from plugin_listing where publisher_id = ${userId}) as is_public`.execute(db);
  return rows[0] ?? { is_verified: false, is_public: false };
}

/** A publisher that a query finds: 0 their name, 1 the beginning of it, 2 words; and the rank of their best plugin. */
export type FoundPublisher = { user_id: number; rank: number; popularity: number };

/** Popular plugins whose publishers are looked at first, and publishers read of a word that few have. */
const POPULAR = 1000;

const rankOf = ({ exact, prefix }: KeywordQuery) =>
  sql<number>`case when s.words @@ ${exact}::tsquery then 0 when s.words @@ ${prefix}::tsquery then 1 else 2 end`;

const popularityOf = sql<number>`coalesce((
  select l.popularity from plugin_listing l where l.publisher_id = s.user_id
    order by l.popularity desc, l.plugin_id desc limit 1), 0)`;

/** Publishers of the most popular plugins, and those whose name a keyword is. Enough for words that many have. */
export async function findPopularPublishers(
  db: Db,
  query: KeywordQuery,
  limit: number,
): Promise<FoundPublisher[]> {
  const { rows } = await sql<FoundPublisher>`
    with popular as materialized (
      select publisher_id, max(popularity) as popularity from (
        select publisher_id, popularity from plugin_listing where tag_id = 0
          order by popularity desc, plugin_id desc limit ${POPULAR}
      ) best where publisher_id is not null group by publisher_id
    ), named as materialized (
      select s.user_id, ${popularityOf} as popularity from publisher_search s
        where s.words @@ ${query.exact}::tsquery limit ${POPULAR}
    )
    select user_id, 0 as rank, popularity::float8 from named
      union all
    (select s.user_id, ${rankOf(query)} as rank, p.popularity::float8
      from popular p
      cross join lateral (
        select user_id, words from publisher_search s
          where s.user_id = p.publisher_id and s.words @@ ${query.words}::tsquery offset 0
      ) s
      order by 2, p.popularity desc, s.user_id limit ${limit})`.execute(db);
  return rows;
}

/** Publishers with a word that few have. */
export async function findRarePublishers(
  db: Db,
  query: KeywordQuery,
  limit: number,
): Promise<FoundPublisher[]> {
  const { rows } = await sql<FoundPublisher>`
    with found as materialized (
      select user_id, words from publisher_search where words @@ ${query.words}::tsquery limit ${POPULAR}
    )
    select s.user_id, ${rankOf(query)} as rank, ${popularityOf}::float8 as popularity from found s
      order by 2, 3 desc, 1 limit ${limit}`.execute(db);
  return rows;
}

/** Public views of publishers in the order of ids; who has nothing published any more is left out. */
export async function readPublishers(db: Db, userIds: readonly number[]): Promise<PublicUser[]> {
  const { rows } = await sql<{ publisher: PublicUser }>`
    select ${publisherFrom('p')} as publisher
      from unnest(${[...userIds]}::bigint[]) with ordinality as wanted (id, place)
      join person p on p.user_id = wanted.id
      where p.deleted_at is null and p.nick_name <> ''
        and exists (select from plugin_listing l where l.publisher_id = p.user_id)
      order by wanted.place`.execute(db);
  return rows.map(({ publisher }) => publisher);
}
