import { PRAISE_LIKE, PRAISE_UNLIKE } from '../../../../shared/constants.ts';
import type { PluginCard, Tag } from '../../../../shared/entities/plugin.ts';
import { FALLBACK_LANGUAGE, type Language, type Texts, textIn } from '../../../../shared/languages.ts';
import type { Caller } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { toMark } from '../marks/store.ts';
import { type CardRow, readCardRows } from './card-store.ts';

/** The user whose likes and installs are shown, and the language of the texts. */
export type Reader = { caller: Caller | null; language: Language };

/** Reads cards in the order of the given ids. */
export async function cardsOf(db: Db, pluginIds: readonly number[], reader: Reader): Promise<PluginCard[]> {
  if (pluginIds.length === 0) return [];
  const rows = await readCardRows(db, pluginIds, reader.caller?.user_id ?? null);
  return rows.map((row) => toCard(row, reader.language));
}

export function toCard(row: CardRow, language: Language): PluginCard {
  return {
    plugin_key: row.plugin_key,
    is_praise: praiseOf(row.is_liked),
    is_installed: row.is_installed,
    ...headlineIn({ name: row.names, intro: row.intros }, language, row.default_lang),
    icon: row.icon,
    cover: row.cover,
    tags: row.tags.map((tag) => toTag(tag, language)),
    publisher: row.publisher,
    plugin_mark: row.plugin_mark,
    mark: toMark(row.mark, language),
    version: row.version,
    praise_count: row.praise_count,
    install_count: row.install_count,
    ...(row.active_count !== null && { active_count: row.active_count }),
    view_count: row.view_count,
    updated_at: row.updated_at.toISOString(),
    ...(row.is_deprecated && { is_deprecated: true }),
    ...(row.is_updated && { is_updated: true }),
  };
}

/** Name and intro for a reader, each in the best language that it is written in. */
export function headlineIn(
  { name: names, intro: intros }: { name: Texts; intro: Texts },
  language: Language,
  ownDefault: Language,
): Pick<PluginCard, 'name' | 'intro' | 'lang' | 'intro_lang'> {
  const name = textIn(names, language, ownDefault);
  const intro = textIn(intros, language, ownDefault);
  const isOther = intro.text !== '' && intro.lang !== name.lang;
  return {
    name: name.text,
    intro: intro.text,
    lang: name.lang,
    ...(isOther && { intro_lang: intro.lang }),
  };
}

export function toTag(tag: { id: number; code: string; name: Texts }, language: Language): Tag {
  return { id: tag.id, code: tag.code, name: textIn(tag.name, language, FALLBACK_LANGUAGE).text };
}

/** 1 liked, -1 not liked. */
export function praiseOf(isLiked: boolean): 1 | -1 {
  return isLiked ? PRAISE_LIKE : PRAISE_UNLIKE;
}
