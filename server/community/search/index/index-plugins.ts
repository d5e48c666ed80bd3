import type { Db } from '../../schema.ts';
import { documentOf } from '../document.ts';
import { readSearchable, writeSearchRows } from './store.ts';

/**
 * Makes plugins findable by what their rows now say. To be called in the transaction that changed their texts,
 * tags or publisher.
 */
export async function indexPlugins(db: Db, pluginIds: readonly number[]): Promise<void> {
  const found = await readSearchable(db, pluginIds);
  await writeSearchRows(
    db,
    found.map(({ plugin_id, ...searchable }) => ({ plugin_id, ...documentOf(searchable) })),
  );
}
