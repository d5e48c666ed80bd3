import { foldText } from './lexemes.ts';

/** Katakana, to which hiragana are folded; `ー` lengthens a vowel. */
const KANA = String.raw`[\p{Script=Katakana}ー]`;
const KANA_RUNS = new RegExp(`${KANA}{2,}`, 'gu');
const KANA_ONLY = new RegExp(`^${KANA}+$`, 'u');
/** Kana with which no word begins. */
const WITHIN_WORDS = /^[ァィゥェォッャュョヮンー]/;
/** Nobody types more of a name at once. */
const SOUND_MAX = 16;
const HAN = /\p{Script=Han}/u;

/** Whether a dictionary has to say how a text is read. */
export function hasKanji(text: string): boolean {
  return HAN.test(text);
}

/** A text in kana by its sound: dictionaries say ヅケイ, people write ズケイ. Undefined for any other text. */
export function kanaOf(text: string): string | undefined {
  const folded = foldText(text);
  return KANA_ONLY.test(folded) ? folded.replaceAll('ヅ', 'ズ').replaceAll('ヂ', 'ジ') : undefined;
}

/** What is looked up of a text in kana; undefined for one alone, which begins too many. */
export function soundOf(kana: string): string | undefined {
  return kana.length < 2 ? undefined : kana.slice(0, SOUND_MAX);
}

/** What is written in kana in a text, from each on that may begin a word. */
export function kanaIn(text: string): string[] {
  const runs = (foldText(text).match(KANA_RUNS) ?? []).flatMap((run) => kanaOf(run) ?? []);
  const parts = runs.flatMap((run) => [...run].map((_, from) => run.slice(from)));
  return parts.filter((part) => !WITHIN_WORDS.test(part)).flatMap((part) => soundOf(part) ?? []);
}
