import { sql } from 'kysely';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';
import { PREPARED } from '../../../database/query.ts';
import type { Db } from '../../schema.ts';
import { shownPicture } from '../plugins/card-store.ts';

type SuggestedRow = { plugin_key: string; default_lang: Language; names: Texts; icon: Picture | null };

/** Reads name and icon of plugins in the order of ids. */
export async function readSuggestedRows(db: Db, pluginIds: readonly number[]): Promise<SuggestedRow[]> {
  const { rows } = await sql<SuggestedRow>`
    ${sql.raw(PREPARED)} select p.plugin_key, p.default_lang, ${shownPicture(sql`p.icon_key`)} as icon,
        (select jsonb_object_agg(lang, name) from plugin_text where plugin_id = p.id) as names
      from unnest(${[...pluginIds]}::bigint[]) with ordinality as wanted (id, place)
      join plugin p on p.id = wanted.id
      order by wanted.place`.execute(db);
  return rows;
}
