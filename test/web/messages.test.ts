import compile from 'icu-minify/compile';
import format from 'icu-minify/format';
import t from 'tap';
import { FALLBACK_LANGUAGE, LANGUAGES } from '../../shared/languages.ts';
import { compileMessages, mergeTexts, namespacesByFolder } from '../../web/build/texts.ts';
import { packOf, partsOf, textsOf } from './support/texts.ts';

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

t.test('the message chunk of a page folder has the namespaces of its files and their imports', async (t) => {
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
});
