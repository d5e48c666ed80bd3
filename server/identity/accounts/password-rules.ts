/** Fewest characters (code points after normalisation) of a password. */
export const PASSWORD_MIN = 10;

/** A shorter name may turn up in a good password by chance. */
const NAME_MIN = 4;
/** One sign over and over before or behind a word makes it no harder to guess. */
const SIGNS_AROUND = /^([^\p{L}\p{N}])\1*|([^\p{L}\p{N}])\2*$/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;

/** The one form of a password that is judged and hashed, so that it does not depend on how a keyboard composes. */
export function normalisedPassword(password: string): string {
  return password.normalize('NFKC');
}

export function isShort(normalised: string): boolean {
  return [...normalised].length < PASSWORD_MIN;
}

/** Names of a user that others know, whole and by their words, the longest first. Without the domain of an address. */
export function namesOf({ email, nick_name }: { email: string; nick_name: string }): string[] {
  const [mailbox = ''] = email.split('@');
  const names = [mailbox, nick_name].map((name) => normalisedPassword(name).toLowerCase().trim());
  const all = names.flatMap((name) => [name, name.replaceAll(/\s+/g, ''), ...name.split(BETWEEN_WORDS)]);
  return [...new Set(all)]
    .filter((name) => [...name].length >= NAME_MIN)
    .sort((one, other) => other.length - one.length);
}

/** What of a password has to be guessed by who knows the user: names and signs around it are taken away. */
export function unknownPart(normalised: string, names: readonly string[]): string {
  const text = names.reduce((rest, name) => rest.replaceAll(name, ' '), normalised.toLowerCase());
  const hasName = names.some((name) => normalised.toLowerCase().includes(name));
  return (hasName ? text.trim() : normalised).replaceAll(SIGNS_AROUND, '');
}
