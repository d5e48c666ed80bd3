import { sql } from 'kysely';
import type { Db } from '../../schema.ts';
import { isPlainWord } from '../search/lexemes.ts';
import { quoteLexeme } from '../search/query.ts';
import { expectMatches } from '../search/store.ts';

/** Users of a plugin whose other plugins are counted, and plugins of each: enough for an order, and bounded. */
const USERS = 300;
const PLUGINS_OF_USER = 50;
/** Fewer users with both tell little, and might tell who they are. */
const USERS_MIN = 3;
/** Kept for each plugin: some of them may be hidden later. */
const KEPT = 12;

/**
 * Counts again what users of these plugins have installed too. Installs by default say nothing of a person's taste and do not
 * count.
 */
export async function countSimilar(trx: Db, pluginIds: readonly number[]): Promise<void> {
  await sql`
    with counted as (
      select given.id as plugin_id, near.similar_id, near.score
        from unnest(${[...pluginIds]}::bigint[]) as given (id)
        cross join lateral (
          select theirs.plugin_id as similar_id, count(*) / sqrt(greatest(c.install_count, 1)) as score
            from (
              select user_id from plugin_install
                where plugin_id = given.id and uninstalled_at is null and not is_silent limit ${USERS}
            ) users
            cross join lateral (
              select plugin_id from plugin_install i
                where i.user_id = users.user_id and i.uninstalled_at is null and not i.is_silent and i.plugin_id <> given.id
                order by i.installed_at desc, i.plugin_id desc limit ${PLUGINS_OF_USER}
            ) theirs
            join plugin_counter c on c.plugin_id = theirs.plugin_id
            group by theirs.plugin_id, c.install_count having count(*) >= ${USERS_MIN}
            order by score desc, similar_id limit ${KEPT}
        ) near
    ), gone as (
      delete from similar_plugin s where s.plugin_id = any (${[...pluginIds]}::bigint[])
        and not exists (select from counted c where c.plugin_id = s.plugin_id and c.similar_id = s.similar_id)
    )
    insert into similar_plugin as s (plugin_id, similar_id, score) select plugin_id, similar_id, score from counted
      on conflict (plugin_id, similar_id) do update set score = excluded.score where s.score <> excluded.score`.execute(
    trx,
  );
}

/** Ids of listed plugins that its users have too. */
export async function readUsedTooIds(db: Db, pluginId: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select s.similar_id as id from similar_plugin s
      where s.plugin_id = ${pluginId}
        and exists (select from plugin_listing l where l.tag_id = 0 and l.plugin_id = s.similar_id)
      order by s.score desc, s.similar_id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Ids of the most popular plugins of its first tag. */
export async function readTaggedIds(db: Db, pluginId: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select l.plugin_id as id
      from (
        select tag.id from plugin_tag pt join tag on tag.id = pt.tag_id and not tag.is_hidden
          where pt.plugin_id = ${pluginId} order by pt.position limit 1
      ) first_tag
      cross join lateral (
        select plugin_id from plugin_listing
          where tag_id = first_tag.id and plugin_id <> ${pluginId}
          order by popularity desc, plugin_id desc limit ${limit}
      ) l`.execute(db);
  return rows.map(({ id }) => id);
}

/** Words of a plugin that are looked up, and in how many plugins the planner may expect each. */
const WORDS = 8;
const EXPECTED_MAX = 2000;

/** The rarest words of names and intro of a plugin, in the form of queries. */
export async function readRareWords(db: Db, pluginId: number): Promise<string[]> {
  const { rows } = await sql<{ lexemes: string[] }>`
    select tsvector_to_array(headline) as lexemes from plugin_search where plugin_id = ${pluginId}`.execute(
    db,
  );
  const queries = (rows[0]?.lexemes ?? []).filter(isPlainWord).map(quoteLexeme);
  const asked = queries.map((query) => ({ words: sql.ref('headline'), query }));
  const { matches } = await expectMatches(db, sql`plugin_search`, asked);
  return queries
    .map((query, at) => ({ query, expected: matches[at] ?? 0 }))
    .filter(({ expected }) => expected <= EXPECTED_MAX)
    .toSorted((a, b) => a.expected - b.expected)
    .slice(0, WORDS)
    .map(({ query }) => query);
}

/** Matches of a word that are read. */
const READ = 500;

/**
 * Ids of listed plugins that have most of these words in name and intro: each word counts as much as it is rare, and not at all
 * where more than `most` plugins have it.
 */
export async function readNearIds(
  db: Db,
  pluginId: number,
  { words, most, limit }: { words: readonly string[]; most: number; limit: number },
): Promise<number[]> {
  if (words.length === 0) return [];
  const parts = words.map(
    (word) => sql`(
      select plugin_id, count(*) over () as having_it from (
        select plugin_id from plugin_search where is_listed and headline @@ ${word}::tsquery limit ${READ}
      ) matching)`,
  );
  const { rows } = await sql<{ id: number }>`
    select plugin_id as id from (${sql.join(parts, sql` union all `)}) found
      where having_it <= ${most} and plugin_id <> ${pluginId}
      group by plugin_id order by sum(1.0 / having_it) desc, plugin_id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
