import type { CodeTable } from '../../entities/finding.ts';

/** What is wrong with a file before anything is known of a plugin in it. */
export const JSON_CODES = {
  NOT_JSON: { severity: 'error', message: 'Only Json files are supported' },
  JSON_EMPTY: { severity: 'error', message: 'The file is empty.' },
  ENCODING_UTF16: { severity: 'error', message: 'The file is encoded as {encoding}; save it as UTF-8.' },
  ENCODING_INVALID: { severity: 'error', message: 'The file is not valid UTF-8.' },
  JSON_SYNTAX: { severity: 'error', message: 'Expected {expected}, found {found}.' },
  JSON_VALUE_MISSING: { severity: 'error', message: 'A value is missing before {found}.' },
  JSON_KEY_EXPECTED: { severity: 'error', message: 'A key in double quotes must stand here, not {found}.' },
  JSON_UNFINISHED: { severity: 'error', message: 'The file ends too early: {expected} is missing.' },
  JSON_EXTRA: { severity: 'error', message: 'Nothing may follow the end of the JSON, found {found}.' },
  JSON_COMMENT: { severity: 'error', message: 'JSON has no comments; remove this one.' },
  JSON_TRAILING_COMMA: { severity: 'error', message: 'Remove the comma before {found}.' },
  JSON_SINGLE_QUOTE: { severity: 'error', message: 'JSON writes strings and keys in double quotes.' },
  JSON_UNQUOTED_KEY: { severity: 'error', message: 'The key {key} must stand in double quotes.' },
  JSON_LITERAL: { severity: 'error', message: 'JSON has no value {found}.' },
  JSON_NUMBER: { severity: 'error', message: '{found} is not a number as JSON writes it.' },
  JSON_NUMBER_RANGE: { severity: 'error', message: 'The number {found} is out of range.' },
  JSON_CONTROL_CHARACTER: {
    severity: 'error',
    message: 'A string holds the character {found}, which must be written as an escape.',
  },
  JSON_ESCAPE: { severity: 'error', message: 'JSON has no escape {found}.' },
  JSON_DUPLICATE_KEY: { severity: 'error', message: 'The key {key} is there already, on line {line}.' },
  JSON_KEY_FORBIDDEN: { severity: 'error', message: 'The key {key} is not allowed.' },
  JSON_KEY_TOO_LONG: { severity: 'error', message: 'A key has more than {limit} characters.' },
  JSON_TOO_DEEP: { severity: 'error', message: 'The JSON is nested deeper than {limit} levels.' },
  JSON_TOO_MANY_VALUES: { severity: 'error', message: 'The JSON holds more than {limit} values.' },
  TEXT_LONE_SURROGATE: { severity: 'error', message: 'A text holds half a character (a lone surrogate).' },
  TEXT_NUL: { severity: 'error', message: 'A text holds the character NUL.' },
} as const satisfies CodeTable;
