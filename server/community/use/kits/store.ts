import { sql } from 'kysely';
import type { Db } from '../../schema.ts';

export type KitRow = {
  id: number;
  name: string;
  e_id: number;
  department: string;
  plugin_count: number;
  updated_at: Date;
};

const columns = sql`
  k.id, k.name, k.e_id, k.department, k.updated_at,
  (select count(*)::int from kit_plugin where kit_id = k.id) as plugin_count`;

export async function readKitRows(db: Db): Promise<KitRow[]> {
  const { rows } = await sql<KitRow>`select ${columns} from kit k order by lower(k.name), k.id`.execute(db);
  return rows;
}

export async function findKit(db: Db, id: number): Promise<KitRow | undefined> {
  const { rows } = await sql<KitRow>`select ${columns} from kit k where k.id = ${id}`.execute(db);
  return rows[0];
}

/** A kit for a change; others wait. */
export async function lockKit(
  trx: Db,
  id: number,
): Promise<Pick<KitRow, 'id' | 'name' | 'e_id' | 'department'> | undefined> {
  const { rows } = await sql<Pick<KitRow, 'id' | 'name' | 'e_id' | 'department'>>`
    select id, name, e_id, department from kit where id = ${id} for no key update`.execute(trx);
  return rows[0];
}

type KitFields = Pick<KitRow, 'name' | 'e_id' | 'department'>;

/** Adds a kit if there are fewer than the limit. @returns its id; undefined at the limit */
export async function insertKit(
  trx: Db,
  { name, e_id, department }: KitFields,
  { at, limit }: { at: Date; limit: number },
): Promise<number | undefined> {
  await sql`lock table kit in share row exclusive mode`.execute(trx);
  const { rows } = await sql<{ id: number }>`
    insert into kit (name, e_id, department, created_at, updated_at)
      select ${name}, ${e_id}, ${department}, ${at}, ${at} where (select count(*) from kit) < ${limit}
      returning id`.execute(trx);
  return rows[0]?.id;
}

export async function updateKit(
  trx: Db,
  id: number,
  { name, e_id, department }: KitFields,
  at: Date,
): Promise<void> {
  await sql`
    update kit set name = ${name}, e_id = ${e_id}, department = ${department}, updated_at = ${at}
      where id = ${id}`.execute(trx);
}

export async function touchKit(trx: Db, id: number, at: Date): Promise<void> {
  await sql`update kit set updated_at = ${at} where id = ${id}`.execute(trx);
}

export async function deleteKitRow(trx: Db, id: number): Promise<void> {
  await sql`delete from kit where id = ${id}`.execute(trx);
}

type KitPluginRow = {
  id: number;
  plugin_key: string;
  is_visible: boolean;
  domains: string[];
  permissions: unknown;
};

/** The plugins of a kit in their order, with what their published versions ask for. */
export async function readKitPlugins(db: Db, kitId: number): Promise<KitPluginRow[]> {
  const { rows } = await sql<KitPluginRow>`
    select p.id, p.plugin_key, p.is_visible, coalesce(v.allowed_domains, '{}') as domains,
        v.package_manifest -> 'permissions' as permissions
      from kit_plugin kp join plugin p on p.id = kp.plugin_id
      left join plugin_version v on v.id = p.current_version_id
      where kp.kit_id = ${kitId} order by kp.position, kp.plugin_id`.execute(db);
  return rows;
}

/** Adds a plugin at the end of a locked kit; one that is there stays where it is. */
export async function insertKitPlugin(
  trx: Db,
  { id, pluginId }: { id: number; pluginId: number },
  limit: number,
): Promise<'added' | 'same' | 'full'> {
  const { rows } = await sql<{ outcome: 'added' | 'same' | 'full' }>`
    with found as materialized (
      select coalesce(bool_or(plugin_id = ${pluginId}), false) as is_in, count(*) < ${limit} as fits,
          coalesce(max(position), 0) + 1 as position
        from kit_plugin where kit_id = ${id}
    ), added as (
      insert into kit_plugin (kit_id, plugin_id, position)
        select ${id}, ${pluginId}, position from found where fits and not is_in
    )
    select case when is_in then 'same' when fits then 'added' else 'full' end as outcome from found`.execute(
    trx,
  );
  return rows[0]?.outcome ?? 'same';
}

/** Removes a plugin from a locked kit. @returns whether it was there */
export async function deleteKitPlugin(
  trx: Db,
  { id, pluginId }: { id: number; pluginId: number },
): Promise<boolean> {
  const { rows } = await sql`
    delete from kit_plugin where kit_id = ${id} and plugin_id = ${pluginId} returning plugin_id`.execute(trx);
  return rows.length > 0;
}

/** Puts the plugins of a locked kit in the order of their ids. */
export async function orderKitPlugins(trx: Db, id: number, pluginIds: readonly number[]): Promise<void> {
  await sql`
    update kit_plugin kp set position = wanted.place
      from unnest(${[...pluginIds]}::bigint[]) with ordinality as wanted (plugin_id, place)
      where kp.kit_id = ${id} and kp.plugin_id = wanted.plugin_id`.execute(trx);
}
