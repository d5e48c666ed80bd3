const NOT_TEXT = /[\p{Cc}\p{Cs}]/u;

/**
 * The form in which e-mail addresses and user names are compared: without regard to case, width or composition.
 * Null when the text can be neither, because it holds control characters or half a surrogate pair.
 */
export function accountKey(text: string): string | null {
  const key = text.trim().normalize('NFKC').toLowerCase();
  return key === '' || NOT_TEXT.test(key) ? null : key;
}
