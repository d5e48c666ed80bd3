import { kanaIn } from './kana.ts';
import {
  kanaLexeme,
  lexemesOfText,
  nameLexeme,
  propertyLexeme,
  publisherLexeme,
  readingLexeme,
  tagLexeme,
} from './lexemes.ts';
import { readingsOf } from './readings.ts';

/** The texts of a plugin that are searched, in all languages. */
export type Searchable = {
  names: string[];
  /** The Chinese one among the names, which is found by its reading too. */
  chinese_names: string[];
  /** The Japanese one, of which what is written in kana is found by kanji. */
  japanese_names: string[];
  /** How it is read, in kana from each word on, once that is known. */
  japanese_readings?: readonly string[];
  intros: string[];
  tag_ids: number[];
  /** What lists are filtered by, besides tags. */
  properties?: readonly string[];
  publisher: string;
  /** Descriptions, names of mark and tags: searched last. */
  others: string[];
};

/** The lexemes of the three columns of `plugin_search`, and those of tags and properties, which are in each of them. */
export type SearchDocument = { name: string[]; headline: string[]; full: string[]; properties: string[] };

/**
 * The lexemes of a plugin's search row. Readings count like words of the intro: a name in the letters that were typed comes
 * first.
 * @param lexemesOf replaced by callers that cache the lexemes of repeated texts
 */
export function documentOf(
  { names, intros, tag_ids, properties = [], publisher, others, ...readable }: Searchable,
  lexemesOf: (text: string) => ReadonlySet<string> = lexemesOfText,
): SearchDocument {
  const lexemesOfAll = (texts: readonly string[]) => new Set(texts.flatMap((text) => [...lexemesOf(text)]));
  const name = lexemesOfAll(names);
  const headline = name.union(lexemesOfAll(intros)).union(soundsOf(readable));
  const publisherWords = lexemesOf(publisher);
  const full = headline.union(lexemesOfAll(others)).union(publisherWords);
  const marked = [...tag_ids.map(tagLexeme), ...properties.map(propertyLexeme)];
  return {
    name: [...name, ...new Set(names.map(nameLexeme)), ...marked],
    headline: [...headline, ...marked],
    full: [...full, ...marked, ...[...publisherWords].map(publisherLexeme)],
    properties: marked,
  };
}

/**
 * The lexemes of how names are read. The other way round, what is written in kana is found by the kanji that are read so,
 * with what follows: やわらかな影 by 柔らかな影.
 */
function soundsOf({
  chinese_names,
  japanese_names,
  japanese_readings = [],
}: Pick<Searchable, 'chinese_names' | 'japanese_names' | 'japanese_readings'>): Set<string> {
  const readings = [...chinese_names.flatMap(readingsOf), ...japanese_readings];
  const kana = japanese_names.flatMap(kanaIn);
  const begun = japanese_readings.filter((reading) => kana.some((written) => reading.startsWith(written)));
  return new Set([...readings.map(readingLexeme), ...[...kana, ...begun].map(kanaLexeme)]);
}
