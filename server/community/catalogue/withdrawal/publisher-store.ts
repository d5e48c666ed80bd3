import { sql } from 'kysely';
import type { Db } from '../../schema.ts';

/** SQL for whether a plugin `p` was withdrawn with everything else of its publisher. */
const WITH_ALL = sql`p.withdrawn_at is not null and exists (
  select from withdrawal w
    where w.plugin_id = p.id and w.plugin_version_id is null and w.restored_at is null and w.is_of_publisher)`;

type PublisherReach = { plugin_count: number; install_count: number; withdrawn_count: number };

/** Counts what a withdrawal of everything of a publisher would reach, and what its end would. */
export async function readPublisherReach(db: Db, publisherId: number): Promise<PublisherReach> {
  const { rows } = await sql<PublisherReach>`
    select count(*) filter (where p.withdrawn_at is null) as plugin_count,
        coalesce(sum(c.install_count) filter (where p.withdrawn_at is null), 0)::bigint as install_count,
        count(*) filter (where ${WITH_ALL}) as withdrawn_count
      from plugin p left join plugin_counter c on c.plugin_id = p.id
      where p.publisher_id = ${publisherId}`.execute(db);
  return rows[0] ?? { plugin_count: 0, install_count: 0, withdrawn_count: 0 };
}

/** Plugins of a publisher in the order of their ids, deleted ones too: those to withdraw, or those to restore together. */
export async function readPublisherKeys(
  db: Db,
  {
    publisherId,
    isWithdrawn,
    after,
    limit,
  }: { publisherId: number; isWithdrawn: boolean; after: number; limit: number },
): Promise<{ id: number; plugin_key: string }[]> {
  const { rows } = await sql<{ id: number; plugin_key: string }>`
    select p.id, p.plugin_key from plugin p
      where p.publisher_id = ${publisherId} and p.id > ${after}
        and ${isWithdrawn ? WITH_ALL : sql`p.withdrawn_at is null`}
      order by p.id limit ${limit}`.execute(db);
  return rows;
}
