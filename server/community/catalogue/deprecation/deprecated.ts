import { type RawBuilder, sql } from 'kysely';
import type { Deprecation, Successor } from '../../../../shared/entities/plugin.ts';
import { FALLBACK_LANGUAGE, type Language, type Texts, textIn } from '../../../../shared/languages.ts';
import { type Names, namesOf } from '../../names.ts';

export type SuccessorRow = Names & { plugin_key: string };

/** A deprecation as it comes from SQL, with what was asked of the successor. */
export type DeprecationRow<More = unknown> = {
  texts: Texts;
  deprecated_at: string;
  /** Null also while nobody can get it. */
  successor: (SuccessorRow & More) | null;
};

/** SQL for names and key of a successor `s`. */
export const SUCCESSOR = sql`jsonb_build_object(
  'plugin_key', s.plugin_key, 'default_lang', s.default_lang, 'names', ${namesOf('s.id')})`;

/**
 * SQL for the deprecation of a plugin `p`, or null.
 * @param more an object with what else is needed of the successor `s`
 */
export function deprecationOf<More = unknown>(
  more: RawBuilder<unknown> = sql`'{}'::jsonb`,
): RawBuilder<DeprecationRow<More> | null> {
  return sql`case when p.deprecated_at is not null then (
    select jsonb_build_object('texts', d.texts, 'deprecated_at', p.deprecated_at, 'successor', (
        select ${SUCCESSOR} || ${more} from plugin s
          where s.id = d.successor_id and s.is_visible and s.current_version_id is not null))
      from deprecation d where d.plugin_id = p.id) end`;
}

export function toSuccessor(
  { plugin_key, names, default_lang }: SuccessorRow,
  language: Language,
): Successor {
  const { text: name, lang } = textIn(names, language, default_lang);
  return { plugin_key, name, lang };
}

/** For the response: text and name in the reader's language, and the time as in other responses. */
export function toDeprecation(
  { texts, deprecated_at, successor }: DeprecationRow,
  language: Language,
): Deprecation {
  const { text, lang } = textIn(texts, language, FALLBACK_LANGUAGE);
  return {
    text,
    text_lang: lang,
    deprecated_at: new Date(deprecated_at).toISOString(),
    successor: successor && toSuccessor(successor, language),
  };
}
