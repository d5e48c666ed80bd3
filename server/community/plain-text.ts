import { LANGUAGES, type Texts } from '../../shared/languages.ts';
import { isVisible } from '../../shared/visible-text.ts';
import { appError } from '../http/errors.ts';

/** Control characters except line feeds and tabs, half surrogate pairs, and bidirectional overrides. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Cs}]|[\u202a-\u202e\u2066-\u2069]/u;

/**
 * Normalizes a text for storage: NFC, line feeds only, trimmed; empty if nothing of it can be seen.
 * @throws VALIDATION_FAILED at the pointer, for control characters
 */
export function plainText(text: string, pointer: string): string {
  const plain = text.normalize('NFC').replaceAll('\r\n', '\n').trim();
  if (UNPRINTABLE.test(plain)) throw refusedAt(pointer, 'must not contain control characters');
  return isVisible(plain) ? plain : '';
}

/**
 * Normalizes a required text.
 * @throws VALIDATION_FAILED
 */
export function requiredText(text: string, pointer: string): string {
  const plain = plainText(text, pointer);
  if (plain === '') throw refusedAt(pointer, 'must not be empty');
  return plain;
}

/**
 * Normalizes texts by language and drops empty ones.
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

/** Trims texts and drops languages with nothing to see. */
export function trimmedTexts(texts: Texts): Texts {
  const trimmed: Texts = {};
  for (const language of LANGUAGES) {
    const text = texts[language]?.trim();
    if (text && isVisible(text)) trimmed[language] = text;
  }
  return trimmed;
}

/**
 * Parses a date-time. Leap seconds are valid by their format only.
 * @throws VALIDATION_FAILED at the pointer, for an invalid time
 */
export function parseTimestamp(text: string, pointer: string): Date {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw refusedAt(pointer, 'must be a date-time');
  return moment;
}

/** The error for one field of a request. */
export function refusedAt(pointer: string, message: string) {
  return appError('VALIDATION_FAILED', { details: [{ pointer, message }] });
}
