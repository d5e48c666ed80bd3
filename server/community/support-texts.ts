import { sql } from 'kysely';
import type { Language, Texts } from '../../shared/languages.ts';
import type { StoredListing } from './schema.ts';

/** Technical support in all languages of a stored listing (R 5.2). */
export function supportOf({ default_lang, support, support_translations }: StoredListing): Texts {
  return { ...support_translations, ...(support !== '' && { [default_lang]: support }) };
}

/** Technical support as a listing stores it: the text of the default language apart from its translations. */
export function storedSupport(
  texts: Texts,
  defaultLang: Language,
): Pick<StoredListing, 'support' | 'support_translations'> {
  const { [defaultLang]: support = '', ...translations } = texts;
  return { support, ...(Object.keys(translations).length > 0 && { support_translations: translations }) };
}

/** SQL for technical support of a plugin in all its languages, by the alias of its row. */
export function supportTexts(alias: string) {
  const plugin = sql.ref(alias);
  return sql<Texts>`coalesce(
    (select jsonb_object_agg(lang, support) from plugin_text where plugin_id = ${plugin}.id and support <> ''), '{}')
    || case when ${plugin}.support = '' then '{}' else jsonb_build_object(${plugin}.default_lang, ${plugin}.support) end`;
}
