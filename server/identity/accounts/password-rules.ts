import { COMMON_PASSWORDS } from './common-passwords.ts';

/** Fewest characters (code points after normalisation) of a password. */
export const PASSWORD_MIN = 10;

const DISTINCT_MIN = 5;
/** A shorter name may turn up in a good password by chance. */
const NAME_MIN = 4;
const SIGNS_AROUND_WORD = /^[^\p{L}@$]+|[^\p{L}]+$/gu;
const LOOKALIKES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
};

/** The one form of a password that is judged and hashed, so that it does not depend on how a keyboard composes. */
export function normalisedPassword(password: string): string {
  return password.normalize('NFKC');
}

/** Whether a password is too easy to guess for a person of these names (NIST SP 800-63B section 5.1.1.2). */
export function isWeakPassword(password: string, person: { email: string; nick_name: string }): boolean {
  const normalised = normalisedPassword(password);
  const text = normalised.toLowerCase();
  return (
    [...normalised].length < PASSWORD_MIN ||
    new Set(text).size < DISTINCT_MIN ||
    isSequence(text) ||
    isCommon(text) ||
    namesOf(person).some((name) => text.includes(name))
  );
}

function isCommon(text: string): boolean {
  const word = text.replaceAll(SIGNS_AROUND_WORD, '');
  const plain = word.replaceAll(/[@$01345]/g, (sign) => LOOKALIKES[sign] ?? sign);
  return [text, word, plain].some((form) => COMMON_PASSWORDS.has(form));
}

/** Characters that all follow one another, up or down: `abcdefghij`, `9876543210`. */
function isSequence(text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const steps = new Set(points.slice(1).map((point, index) => point - (points[index] ?? 0)));
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}

function namesOf({ email, nick_name }: { email: string; nick_name: string }): string[] {
  const [mailbox = ''] = email.split('@');
  return [mailbox, nick_name]
    .map((name) => normalisedPassword(name).toLowerCase())
    .filter((name) => [...name].length >= NAME_MIN);
}
