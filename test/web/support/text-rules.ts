import type { Language } from '../../../shared/languages.ts';

type Rule = readonly [breach: RegExp, says: string];

const HAN = '\\p{Script=Han}';
const JAPANESE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー';
const CYRILLIC = '[а-яёА-ЯЁ]';

/** Adjacent letters of two scripts: Chinese and Japanese texts need a space between them. */
function touching(letters: string): RegExp {
  return new RegExp(`[${letters}][A-Za-z0-9#]|[A-Za-z0-9#][${letters}]`, 'u');
}

function halfWidthAfter(letters: string): RegExp {
  return new RegExp(`[${letters}](?:[,;:!?(]|\\.(?!\\w))|\\)[${letters}]`, 'u');
}

function word(...forms: string[]): RegExp {
  return new RegExp(`(?<!${CYRILLIC})(?:${forms.join('|')})(?!${CYRILLIC})`);
}

/** Rules for every language. */
export const COMMON_RULES: readonly Rule[] = [
  [/["']/, 'typographic quotes and apostrophes'],
  [/\.\.\./, 'one … for three dots'],
  [/ {2}|^ | $/m, 'single spaces, none at the ends'],
  [/ [,.;:!?。，、；：！？](?!\w)/, 'no space before punctuation'],
  [/ - /, 'a dash or a middle dot, not a hyphen'],
];

/** Rules by language: a pattern that violates each, and its explanation. */
export const LANGUAGE_RULES: Readonly<Record<Language, readonly Rule[]>> = {
  'zh-CN': [
    [/您/, '你'],
    [/[「」『』‘’]/, 'quotes “”'],
    [halfWidthAfter(HAN), 'full-width punctuation'],
    [touching(HAN), 'a space between Chinese and Latin'],
    [
      new RegExp(`[${HAN}，。；：！？、] [${HAN}]|[，。；：！？、] `, 'u'),
      'no space between Chinese characters',
    ],
    [/帐号|登陆|卸装|上傳/, 'the words of the glossary'],
  ],
  'en-US': [
    [/“[^”]*$|^[^“]*”/, 'quotes in pairs'],
    [/\b[Ee]-mail|colour|recognis|organis|licence|cancell(?:ed|ing)|\bany more[.:,]/, 'American spelling'],
  ],
  'ja-JP': [
    [/[“”‘’]/, 'quotes 「」'],
    [halfWidthAfter(JAPANESE), 'full-width punctuation'],
    [touching(JAPANESE), 'a space between Japanese and Latin'],
    [/サインイン|サインアウト|端末/, 'the words of the glossary'],
    [
      /(?:ブラウザ|サーバ|フォルダ|ユーザ|エディタ|パラメータ|コンピュータ|ヘッダ|フッタ)(?!ー)/,
      'long vowels are written',
    ],
  ],
  'ko-KR': [
    [/[“”「」]/, 'quotes ‘’'],
    [/[，。；：！？、]/, 'half-width punctuation'],
    [/회원님|당신|검토/, 'the words of the glossary'],
    [/\([이가은는을를와과으]\)/, 'a noun before the particle, not a particle in brackets'],
  ],
  'ru-RU': [
    [/[“”„‘’]/, 'quotes «»'],
    [new RegExp(`[а-яё,—] (?:Вы|Вас|Вам|Вами|Ваш${CYRILLIC}*)(?!${CYRILLIC})`), 'вы in lower case'],
    [/ —|[\d}#] [МК]Б|№ /, 'a no-break space before a dash and a unit, and after №'],
    [word('еще', 'ее', 'свое', 'учет', 'счет', 'пришел', 'найден.?енн'), 'ё is written'],
    [/[Уу]чётн|[Ии]здател/, 'the words of the glossary'],
  ],
  'es-ES': [
    [/[“”‘’]/, 'quotes «»'],
    [/^[^¿]*\?|^[^¡]*!/m, 'opening ¿ and ¡'],
    [/\busted|\b[Ii]nténtelo|\b[Ss]eleccione |\bpor defecto\b/, 'the words of the glossary, and tú'],
    [/No se pudo|No se pudieron/, 'no se ha podido'],
    [/[\d}#] [MK]B|n\.º /, 'a no-break space before a unit and after n.º'],
  ],
};
