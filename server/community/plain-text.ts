import { LANGUAGES, type Texts } from '../../shared/languages.ts';
import { appError } from '../http/errors.ts';

/** Control characters but line ends and tabs, halves of surrogate pairs, and what reverses the direction of text. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Cs}]|[\u202a-\u202e\u2066-\u2069]/u;

/**
 * A text as it is stored: composed, with one kind of line end, without space around it.
 * @throws VALIDATION_FAILED at the pointer, when it holds what no text does
 */
export function plainText(text: string, pointer: string): string {
  const plain = text.normalize('NFC').replaceAll('\r\n', '\n').trim();
  if (UNPRINTABLE.test(plain)) throw refusedAt(pointer, 'must not contain control characters');
  return plain;
}

/**
 * The same for a text that must say something.
 * @throws VALIDATION_FAILED
 */
export function neededText(text: string, pointer: string): string {
  const plain = plainText(text, pointer);
  if (plain === '') throw refusedAt(pointer, 'must not be empty');
  return plain;
}

/**
 * Texts by language as they are stored; an empty one is none.
 * @throws VALIDATION_FAILED at the language, below the pointer
 */
export function plainTexts(texts: Texts, pointer: string): Texts {
  return Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const text = plainText(texts[language] ?? '', `${pointer}/${language}`);
      return text === '' ? [] : [[language, text]];
    }),
  );
}

/**
 * A time that a request names. A leap second is one by its format, and none by the clock.
 * @throws VALIDATION_FAILED at the pointer, for a time that no clock shows
 */
export function momentOf(text: string, pointer: string): Date {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw refusedAt(pointer, 'must be a date-time');
  return moment;
}

/** The refusal of one place of a request. */
export function refusedAt(pointer: string, message: string) {
  return appError('VALIDATION_FAILED', { details: [{ pointer, message }] });
}
