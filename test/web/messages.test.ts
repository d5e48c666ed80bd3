import '../../web/messages.ts';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import compile from 'icu-minify/compile';
import format from 'icu-minify/format';
import t from 'tap';
import { createTranslator } from 'use-intl/core';
import messages from '../../locales/en-US.json' with { type: 'json' };
import { FALLBACK_LANGUAGE, LANGUAGES, type Language } from '../../shared/languages.ts';
import { apiError } from '../../web/api/api-error.ts';
import { errorText, failureText } from '../../web/api/error-text.ts';
import { compileMessages, mergeTexts, namespacesByFolder } from '../../web/build/texts.ts';
import { COMMON_RULES, LANGUAGE_RULES } from './support/text-rules.ts';
import { isUsed, textUses } from './support/text-uses.ts';
import { mailTextsOf, packOf, partsOf, textsOf } from './support/texts.ts';

t.test('language packs', async (t) => {
  const source = textsOf(FALLBACK_LANGUAGE);

  t.test('all packs have the same keys with valid, non-empty messages', async (t) => {
    const keys = [...source.keys()].sort();
    for (const language of LANGUAGES) {
      const texts = [...textsOf(language)];
      t.strictSame(texts.map(([key]) => key).sort(), keys, language);
      t.strictSame(
        texts.filter(([, text]) => text.trim() === '').map(([key]) => key),
        [],
        `${language} texts`,
      );
      t.doesNotThrow(() => compileMessages(packOf(language)), `${language} is ICU`);
    }
  });

  t.test('a message has the same arguments and tags in every language', async (t) => {
    const asked = (text: string): string => {
      const { values, tags } = partsOf(text);
      return [...[...values].sort(), ...[...tags].sort().map((tag) => `<${tag}>`)].join();
    };
    for (const language of LANGUAGES) {
      const others = [...textsOf(language)].filter(
        ([key, text]) => asked(text) !== asked(source.get(key) ?? ''),
      );
      t.strictSame(others, [], language);
    }
  });

  t.test('a plural has exactly the categories of its language', async (t) => {
    for (const language of LANGUAGES) {
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
      const wanted = [...pluralCategories].sort().join();
      const cases = (plural: string[]): string =>
        plural
          .filter((name) => !name.startsWith('='))
          .sort()
          .join();
      const others = [...textsOf(language)].filter(([, text]) =>
        partsOf(text).plurals.some((plural) => cases(plural) !== wanted),
      );
      t.strictSame(others, [], `${language}: ${wanted}`);
    }
  });

  t.test('a message is parsed into its parts', async (t) => {
    const { values, tags, plurals, words } = partsOf(
      '<b>{n, plural, =0 {No} other {# of {all}}}</b>, {at, date} x',
    );
    t.strictSame([...values].sort(), ['all', 'at', 'n']);
    t.strictSame([...tags], ['b']);
    t.strictSame(plurals, [['=0', 'other']]);
    t.equal(words, '{}\nNo\n# of {}, {} x');
  });

  t.test('Russian distinguishes one, few and many', async (t) => {
    const text = textsOf('ru-RU').get('signIn.too_many_seconds') ?? '';
    const formatters = {
      getDateTimeFormat: (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
        new Intl.DateTimeFormat(...args),
      getNumberFormat: (...args: ConstructorParameters<typeof Intl.NumberFormat>) =>
        new Intl.NumberFormat(...args),
      getPluralRules: (...args: ConstructorParameters<typeof Intl.PluralRules>) =>
        new Intl.PluralRules(...args),
    };
    const say = (seconds: number) => String(format(compile(text), 'ru-RU', { seconds }, { formatters }));
    t.match(say(1), /через 1 секунду\./);
    t.match(say(3), /через 3 секунды\./);
    t.match(say(5), /через 5 секунд\./);
    t.match(say(41), /через 41 секунду\./);
  });

  t.test('a malformed message fails the build and is named', async (t) => {
    t.throws(() => compileMessages({ home: { title: '{count, plural, one {#}' } }), {
      message: /home\.title is not valid ICU/,
    });
  });

  t.test('a missing translation falls back to the default language', async (t) => {
    t.strictSame(mergeTexts({ a: { x: '1', y: '2' }, b: '3' }, { a: { y: 'zwei' } }), {
      a: { x: '1', y: 'zwei' },
      b: '3',
    });
  });

  t.test(
    'the message chunk of a page folder has the namespaces of its files and their imports',
    async (t) => {
      const web = t.testdir({
        'main.tsx': "import { Frame } from './layout/frame.tsx'; import('./pages/a/a-page.tsx');",
        'entry-server.tsx': "createTranslator({ locale, messages, namespace: 'site' });",
        layout: { 'frame.tsx': "const t = useTranslations('header');" },
        pages: {
          a: { 'a-page.tsx': "import { List } from '../../features/list.tsx'; useTranslations('a');" },
          b: {
            'b-page.tsx': "import('./part.tsx'); t('error.network');",
            'part.tsx': "useTranslations('b.more');",
          },
        },
        features: {
          'list.tsx':
            "import type { B } from '../pages/b/part.tsx'; useTranslations('list'); useTranslations('header');",
        },
      });
      const known = ['a', 'b', 'error', 'header', 'list', 'site'];
      t.strictSame(Object.fromEntries(namespacesByFolder(web, known)), {
        '': ['site', 'header'],
        a: ['a', 'list'],
        b: ['error', 'b'],
      });
      t.throws(
        () =>
          namespacesByFolder(
            web,
            known.filter((name) => name !== 'list'),
          ),
        {
          message: 'No message pack has the namespace “list”, used in features/list.tsx',
        },
      );
    },
  );
});

t.test('message arguments', async (t) => {
  t.test('a message with missing arguments is a type error and a formatting error', async (t) => {
    const errors: string[] = [];
    const translate = createTranslator({
      locale: 'en-US',
      messages,
      namespace: 'review',
      onError: ({ code }) => errors.push(code),
    });
    // @ts-expect-error The count is missing.
    translate('waiting');
    // @ts-expect-error There is no such argument.
    translate('waiting', { number: 2 });
    t.ok(errors.every((code) => code === 'FORMATTING_ERROR') && errors.length > 0);
    t.equal(translate('waiting', { count: 2 }), '2 waiting for review');
  });
});

t.test('unused messages', async (t) => {
  const uses = textUses();
  const keys = [...textsOf(FALLBACK_LANGUAGE).keys()];

  t.test('every text is used', async (t) => {
    t.strictSame(
      keys.filter((key) => !isUsed(key, uses)),
      [],
    );
  });

  t.test('text uses are found in sources', async (t) => {
    t.ok(uses.keys.size > 500, `${uses.keys.size} keys are written out`);
    t.ok(uses.patterns.length > 20, `${uses.patterns.length} patterns`);
    t.notOk(isUsed('home.no_such_text', uses));
    t.notOk(isUsed('publish.need_no_such_field', uses), 'a pattern needs a word that is in the sources');
    t.notOk(isUsed('plugin.no_such_text', uses), 'a variable needs a word that is in the sources');
    t.ok(isUsed('publish.need_contact', uses));
  });
});

t.test('wording', async (t) => {
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
      const texts = [...textsOf(language), ...mailTextsOf(language)].map(
        ([key, text]) => [key, partsOf(text).words] as const,
      );
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
      'en-US': [
        'A “name',
        'Your e-mail',
        "It's",
        'Wait...',
        'Two  spaces',
        'Sign in - Square',
        'Wait !',
        'Canceled, not cancelled',
      ],
      'ja-JP': ['“名前”', 'JSONファイル', '3件', '次へ:', 'サインイン', 'ブラウザで開く'],
      'ko-KR': ['“이름”', '회원님', '이름，설명', '파일 {}이(가) 없습니다', '{}(으)로 이동'],
      'ru-RU': ['“Имя”', 'Если Вы вошли', 'Попробуйте еще раз', 'Учётная запись', 'До {} МБ', 'Да — нет'],
      'es-ES': ['“Nombre”', 'Qué ocurre?', 'Gracias!', 'Si usted quiere', 'No se pudo abrir', 'Hasta {} MB'],
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
});

t.test('sentences', async (t) => {
  const ROOT = fileURLToPath(new URL('../../', import.meta.url));
  const SOURCES = globSync('web/{features,layout,pages}/**/*.{ts,tsx}', { cwd: ROOT });

  /** A message beside a value or another message: other languages may need another order. */
  const PIECES = [
    /<VisuallyHidden>[\s:,]+\{/,
    /<VisuallyHidden>\{t\([^}]*\)\}[\s:,]+<\/VisuallyHidden>/,
    /<VisuallyHidden>\s*\{t\([^}]*\)\} \{/,
    /`\$\{t\([^`]*\)\}[\s:,]+\$\{/,
    /`\$\{[^}]*\}[\s:,]+\$\{t\(/,
    /\{t\('[^}]*'\)\} <(?!Link)/,
    /\{t\('[^}]*'\)\} \{(?!t\()/,
  ];

  function piecesIn(source: string): string[] {
    return PIECES.flatMap((pattern) => pattern.exec(source)?.[0] ?? []);
  }

  t.test('no sentence is concatenated from parts', async (t) => {
    t.ok(SOURCES.length > 300, 'all files are read');
    const found = SOURCES.flatMap((source) =>
      piecesIn(readFileSync(`${ROOT}${source}`, 'utf8')).map((pieces) => `${source}: ${pieces}`),
    );
    t.strictSame(found, []);
  });

  t.test('concatenations are found', async (t) => {
    for (const source of [
      '<VisuallyHidden> {plugin.name}</VisuallyHidden>',
      "<VisuallyHidden>{t('unread')}: </VisuallyHidden>",
      "{t('claimed_text')} <Person user={other} />",
      "{t('like')} {plugin.name}",
    ])
      t.equal(piecesIn(source).length > 0, true, source);
    t.strictSame(piecesIn("<VisuallyHidden>{t('installs')}</VisuallyHidden>"), []);
  });
});

t.test('texts of errors', async (t) => {
  const GONE = { pointer: '/code', code: 'FILE_UNREADABLE', message: 'map.json cannot be read.' };

  t.test('every failure has a text', async (t) => {
    const cases: [Parameters<typeof apiError>[0], string][] = [
      [{ status: 0 }, 'network'],
      [{ status: 0, details: [GONE] }, 'file'],
      [{ status: 401 }, 'unauthenticated'],
      [{ status: 401, reason: 'SESSION_ENDED' }, 'unauthenticated'],
      [{ status: 403, reason: 'FORBIDDEN' }, 'forbidden'],
      [{ status: 404, reason: 'PLUGIN_NOT_FOUND' }, 'not_found'],
      [{ status: 429, reason: 'TOO_MANY_REQUESTS' }, 'too_many'],
      [{ status: 502, reason: 'UPSTREAM_UNAVAILABLE' }, 'unavailable'],
      [{ status: 504 }, 'unavailable'],
      [{ status: 500, reason: 'INTERNAL' }, 'unexpected'],
      [{ status: 200 }, 'unexpected'],
    ];
    for (const [facts, text] of cases) t.equal(errorText(apiError(facts)), text, JSON.stringify(facts));
  });

  t.test('the error text is followed by the message of a foreign service', async (t) => {
    const foreign = apiError({ status: 409, foreignMessage: 'The shelf is full.' });
    t.equal(failureText('Saving failed', foreign), 'Saving failed: The shelf is full.');
    t.equal(
      failureText('It was not saved. Try again.', foreign),
      'It was not saved. Try again: The shelf is full.',
    );
    t.equal(failureText('未能保存，请重试。', foreign), '未能保存，请重试: The shelf is full.');
    t.equal(failureText('It was not saved.', apiError({ status: 500 })), 'It was not saved.');
  });
});
