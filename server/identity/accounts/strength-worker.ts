import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as commonDictionary } from '@zxcvbn-ts/language-common';
import { dictionary as englishDictionary } from '@zxcvbn-ts/language-en';
import type { PasswordWeakness } from '../../../shared/errors.ts';

/**
 * What people of our languages build passwords from and no English dictionary knows, the commonest first: words for
 * "password" and "I love you", rows of other keyboards, numbers that sound like words.
 */
const LOCAL_WORDS: readonly string[] = [
  'woaini',
  '5201314',
  'mima',
  '密码',
  '我爱你',
  'пароль',
  'йцукен',
  'йцукенгшщз',
  'gfhjkm',
  'contraseña',
  'contrasena',
  'teamo',
  'tequiero',
  'パスワード',
  'pasuwado',
  'aishiteru',
  '비밀번호',
  'qlalfqjsgh',
  '사랑해',
  'saranghae',
  'woaiwojia',
  'wojiushiwo',
  'woshishui',
  'nihao',
  'caonima',
  'привет',
  'любовь',
  'ghbdtn',
  'hola',
  'mierda',
];

/** What this site is called. */
const SITE_WORDS: readonly string[] = [
  'pluginsquare',
  'plugin-square',
  'plugin square',
  'plugin',
  'square',
  '插件广场',
];

export type StrengthTask = { text: string; words: readonly string[] };

/** Of 4; at 3, some 10^8 guesses are needed. */
const SCORE_MIN = 3;
/** More characters take the estimate seconds, and can only make a password stronger. */
const LENGTH_MAX = 64;

/** By the keys of the estimate's warnings. */
const WEAKNESSES: Readonly<Record<string, PasswordWeakness>> = {
  straightRow: 'PASSWORD_PATTERN',
  keyPattern: 'PASSWORD_PATTERN',
  simpleRepeat: 'PASSWORD_PATTERN',
  extendedRepeat: 'PASSWORD_PATTERN',
  sequences: 'PASSWORD_PATTERN',
  recentYears: 'PASSWORD_DATE',
  dates: 'PASSWORD_DATE',
  topTen: 'PASSWORD_COMMON',
  topHundred: 'PASSWORD_COMMON',
  common: 'PASSWORD_COMMON',
  similarToCommon: 'PASSWORD_COMMON',
  wordByItself: 'PASSWORD_COMMON',
  namesByThemselves: 'PASSWORD_NAME',
  commonNames: 'PASSWORD_NAME',
  userInputs: 'PASSWORD_NAME',
};

const estimate = new ZxcvbnFactory({
  dictionary: {
    ...commonDictionary,
    ...englishDictionary,
    local: [...LOCAL_WORDS],
    site: [...SITE_WORDS],
  },
  graphs: adjacencyGraphs,
  maxLength: LENGTH_MAX,
});

/** Runs in a thread of its own: the dictionaries take memory, and a long text up to a tenth of a second. */
export function weaknessOf({ text, words }: StrengthTask): PasswordWeakness | undefined {
  const { score, feedback, sequence } = estimate.check(text, [...words]);
  if (score >= SCORE_MIN) return undefined;
  const isOurs = sequence.some(
    ({ dictionaryName }) => dictionaryName === 'local' || dictionaryName === 'site',
  );
  return WEAKNESSES[feedback.warning ?? ''] ?? (isOurs ? 'PASSWORD_COMMON' : 'PASSWORD_GUESSABLE');
}
