/** Why a password is refused: the `code` of the error's detail, and its message. Pages show their own text by the code. */
export const PASSWORD_WEAKNESSES = {
  PASSWORD_SHORT: 'has too few characters',
  PASSWORD_COMMON: 'is among the passwords that are tried first',
  PASSWORD_NAME: 'is built from a name that others know',
  PASSWORD_PATTERN: 'repeats itself or follows a row',
  PASSWORD_DATE: 'is little more than a date',
  PASSWORD_GUESSABLE: 'is too easy to guess',
} as const;

export type PasswordWeakness = keyof typeof PASSWORD_WEAKNESSES;
