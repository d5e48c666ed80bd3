import { sql } from 'kysely';
import { type Language, type Texts, textIn } from '../../shared/languages.ts';

/** What a plugin or another thing is called, in all its languages. */
export type Names = { names: Texts; default_lang: Language };

/** SQL for the names of a plugin, by the column of its id. */
export function namesOf(pluginId: string) {
  return sql<Texts>`coalesce((
    select jsonb_object_agg(lang, name) from plugin_text where plugin_id = ${sql.ref(pluginId)}), '{}')`;
}

/** The name for a reader (R 12.3). */
export function nameIn({ names, default_lang }: Names, language: Language): string {
  return textIn(names, language, default_lang).text;
}
