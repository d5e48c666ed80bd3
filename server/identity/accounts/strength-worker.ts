import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as commonDictionary } from '@zxcvbn-ts/language-common';
import { dictionary as englishDictionary } from '@zxcvbn-ts/language-en';
import type { PasswordWeakness } from '../../../shared/errors.ts';

/**
 * Common password parts in our languages that English dictionaries lack, most common first: words for "password" and
 * "I love you", keyboard rows of other layouts, numbers that sound like words.
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

const SITE_WORDS: readonly string[] = [
  'pluginsquare',
  'plugin-square',
  'plugin square',
  'plugin',
  'square',
  '插件广场',
];

export type StrengthTask = { text: string; words: readonly string[] };

/** Of 4; score 3 means about 10^8 guesses. */
const SCORE_MIN = 3;
/** Estimating longer texts takes seconds, and more characters only make a password stronger. */
const LENGTH_MAX = 64;

/** By the warnings of zxcvbn. */
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

/** Runs in a worker thread: the dictionaries take memory, and a long text takes up to 100 ms. */
export function weaknessOf({ text, words }: StrengthTask): PasswordWeakness | undefined {
  const { score, feedback, sequence } = estimate.check(text, [...words]);
  if (score >= SCORE_MIN) return undefined;
  const isOwnWord = sequence.some(
    ({ dictionaryName }) => dictionaryName === 'local' || dictionaryName === 'site',
  );
  return WEAKNESSES[feedback.warning ?? ''] ?? (isOwnWord ? 'PASSWORD_COMMON' : 'PASSWORD_GUESSABLE');
}
