import { readFileSync } from 'node:fs';
import compile from 'icu-minify/compile';
import format from 'icu-minify/format';
import t from 'tap';
import { FALLBACK_LANGUAGE, LANGUAGES } from '../../shared/languages.ts';
import { compileMessages, mergeTexts } from '../../web/build/messages-plugin.ts';

type Texts = { [key: string]: string | Texts };

function pack(language: string): Texts {
  return JSON.parse(readFileSync(new URL(`../../locales/${language}.json`, import.meta.url), 'utf8'));
}

function flat(texts: Texts, at = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[at + key, value]] : flat(value, `${at}${key}.`),
  );
}

/** Names of the arguments a compiled message asks for. */
function argumentsOf(message: string): string[] {
  return [...new Set([...message.matchAll(/\{\s*(\w+)\s*[,}]/g)].map((match) => match[1] ?? ''))]
    .filter((name) => /^[a-z]/.test(name))
    .sort();
}

t.test('all packs have the same keys, none empty, all of them valid', async (t) => {
  const keys = flat(pack(FALLBACK_LANGUAGE))
    .map(([key]) => key)
    .sort();
  for (const language of LANGUAGES) {
    const texts = flat(pack(language));
    t.strictSame(texts.map(([key]) => key).sort(), keys, language);
    t.strictSame(
      texts.filter(([, text]) => text.trim() === '').map(([key]) => key),
      [],
      `${language} texts`,
    );
    t.doesNotThrow(() => compileMessages(pack(language)), `${language} is ICU`);
  }
});

t.test('a text asks for the same arguments in every language', async (t) => {
  const wanted = new Map(flat(pack(FALLBACK_LANGUAGE)).map(([key, text]) => [key, argumentsOf(text).join()]));
  for (const language of LANGUAGES) {
    const others = flat(pack(language)).filter(([key, text]) => argumentsOf(text).join() !== wanted.get(key));
    t.strictSame(others, [], language);
  }
});

t.test('Russian tells one, few and many apart', async (t) => {
  const text = flat(pack('ru-RU')).find(([key]) => key === 'signIn.too_many_seconds')?.[1] ?? '';
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

t.test('a malformed message stops the build and is named', async (t) => {
  t.throws(() => compileMessages({ home: { title: '{count, plural, one {#}' } }), {
    message: /home\.title is not valid ICU/,
  });
});

t.test('a text that a language lacks is the fallback one', async (t) => {
  t.strictSame(mergeTexts({ a: { x: '1', y: '2' }, b: '3' }, { a: { y: 'zwei' } }), {
    a: { x: '1', y: 'zwei' },
    b: '3',
  });
});
