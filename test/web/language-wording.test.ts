import { readFileSync } from 'node:fs';
import t from 'tap';
import { FALLBACK_LANGUAGE, LANGUAGES, type Language } from '../../shared/languages.ts';
import { COMMON_RULES, LANGUAGE_RULES } from './support/text-rules.ts';
import { partsOf, textsOf } from './support/texts.ts';

type Untranslated = { terms: string[]; same_as_english: Partial<Record<Language, string[]>> };

/** Texts that may equal the English ones: words in other scripts, and whole texts by language. */
const untranslated: Untranslated = JSON.parse(
  readFileSync(new URL('../fixtures/untranslated.json', import.meta.url), 'utf8'),
);

/** Languages without Latin script. */
const OTHER_SCRIPTS: readonly Language[] = ['zh-CN', 'ja-JP', 'ko-KR', 'ru-RU'];

const source = textsOf(FALLBACK_LANGUAGE);

t.test('no unlisted text is left in English', async (t) => {
  for (const language of LANGUAGES.filter((name) => name !== FALLBACK_LANGUAGE)) {
    const same = [...textsOf(language)]
      .filter(([key, text]) => text === source.get(key) && /\p{Letter}/u.test(partsOf(text).words))
      .map(([key]) => key);
    t.strictSame(same.sort(), untranslated.same_as_english[language] ?? [], language);
  }
});

t.test('texts in other scripts have no unlisted English words', async (t) => {
  const terms = new Set(untranslated.terms);
  const met = new Set<string>();
  for (const language of OTHER_SCRIPTS) {
    const strange: string[] = [];
    for (const [key, text] of textsOf(language)) {
      for (const [word] of partsOf(text).words.matchAll(/[A-Za-z]\w*/g)) {
        met.add(word);
        if (!terms.has(word)) strange.push(`${key}: ${word}`);
      }
    }
    t.strictSame(strange, [], language);
  }
  t.strictSame(
    untranslated.terms.filter((term) => !met.has(term)),
    [],
    'every listed word is met',
  );
});

t.test('texts follow the rules of their language', async (t) => {
  for (const language of LANGUAGES) {
    const texts = [...textsOf(language)].map(([key, text]) => [key, partsOf(text).words] as const);
    for (const [breach, says] of [...COMMON_RULES, ...LANGUAGE_RULES[language]]) {
      const broken = texts
        .filter(([, words]) => breach.test(words))
        .map(([key, words]) => `${key}: ${words}`);
      t.strictSame(broken, [], `${language}: ${says}`);
    }
  }
});

t.test('a visible number is a separate word in its button’s name (WCAG 2.5.3)', async (t) => {
  for (const language of LANGUAGES)
    t.match(
      textsOf(language).get('session.notices_unread'),
      /(?:^|[^\p{L}\p{N}])\{count\}(?:[^\p{L}\p{N}]|$)/u,
      language,
    );
});

t.test('the terms of use follow the rules of their language', async (t) => {
  const agreement = (language: Language): string[] =>
    readFileSync(new URL(`../../locales/protocol/${language}.md`, import.meta.url), 'utf8')
      .split('\n')
      .map((line) => line.replaceAll('**', '').replace(/^(?:#+|-) /, ''));
  for (const language of LANGUAGES) {
    const rules = [...COMMON_RULES, ...LANGUAGE_RULES[language]];
    const broken = agreement(language).flatMap((line) =>
      rules.filter(([breach]) => breach.test(line)).map(([, says]) => `${says}: ${line}`),
    );
    t.strictSame(broken, [], language);
    t.equal(
      agreement(language).length,
      agreement(FALLBACK_LANGUAGE).length,
      `${language}: as many paragraphs`,
    );
  }
});

t.test('violations of the rules are found', async (t) => {
  const broken: Record<Language, string[]> = {
    'zh-CN': ['请先登录,再试', '您的插件', '「名称」', '3个插件', '还有 插件', '请重试。 再见', '插件(新)'],
    'en-US': ['A “name', 'Your e-mail', "It's", 'Wait...', 'Two  spaces', 'Sign in - Square', 'Wait !'],
    'ja-JP': ['“名前”', 'JSONファイル', '3件', '次へ:', 'サインイン', 'ブラウザで開く'],
    'ko-KR': ['“이름”', '회원님', '이름，설명'],
    'ru-RU': ['“Имя”', 'Если Вы вошли', 'Попробуйте еще раз', 'Учётная запись'],
    'es-ES': ['“Nombre”', 'Qué ocurre?', 'Gracias!', 'Si usted quiere', 'No se pudo abrir'],
  };
  for (const language of LANGUAGES) {
    const rules = [...COMMON_RULES, ...LANGUAGE_RULES[language]];
    const unseen = broken[language].filter((text) => !rules.some(([breach]) => breach.test(text)));
    t.strictSame(unseen, [], language);
  }
});

t.test('the status of one report is singular, unlike the tab of many', async (t) => {
  const badges = LANGUAGES.map((language) => {
    const texts = textsOf(language);
    return [
      language,
      ...['open', 'accepted', 'dismissed'].map((state) => texts.get(`reports.badge_${state}`)),
    ];
  });
  t.strictSame(
    new Set(badges.map((row) => row.join(' · '))),
    new Set([
      'zh-CN · 待处理 · 已成立 · 已驳回',
      'en-US · Open · Upheld · Dismissed',
      'ja-JP · 未対応 · 認定済み · 却下済み',
      'ko-KR · 처리 대기 · 인정됨 · 기각됨',
      'ru-RU · Открыта · Обоснована · Отклонена',
      'es-ES · Abierta · Aceptada · Desestimada',
    ]),
  );
});
