import t from 'tap';
import { homeLanguage, offeredLanguages } from '../../shared/deploy-types.ts';
import { LANGUAGES, languageOfCookie, languageOfHeader, textIn } from '../../shared/languages.ts';

t.test('cookie values of the specification map to languages, other values to none', async (t) => {
  const expected = { 'zh-CN': 'zh-CN', en: 'en-US', jp: 'ja-JP', kr: 'ko-KR', ru: 'ru-RU', es: 'es-ES' };
  for (const [value, language] of Object.entries(expected)) t.equal(languageOfCookie(value), language);
  for (const value of [undefined, '', 'en-US', 'ja', 'EN', '__proto__'])
    t.equal(languageOfCookie(value), undefined);
});

t.test('Accept-Language: weights, primary subtags, offered languages only', async (t) => {
  t.equal(languageOfHeader('ru;q=0.5, ja;q=0.9', LANGUAGES), 'ja-JP');
  t.equal(languageOfHeader('zh-TW', LANGUAGES), 'zh-CN');
  t.equal(languageOfHeader('fr, *;q=0.1', LANGUAGES), undefined);
  t.equal(languageOfHeader('en;q=0', LANGUAGES), undefined);
  t.equal(languageOfHeader('ja, en', ['en-US']), 'en-US');
  t.equal(languageOfHeader(undefined, LANGUAGES), undefined);
  t.equal(languageOfHeader(`${'x,'.repeat(5000)}ru`, LANGUAGES), undefined, 'an over-long header is cut');
});

t.test('sites offer the languages of the specification', async (t) => {
  t.strictSame(offeredLanguages('domestic', []), LANGUAGES);
  t.strictSame(offeredLanguages('overseas', []), ['en-US', 'ja-JP', 'ko-KR', 'ru-RU', 'es-ES']);
  t.strictSame(offeredLanguages('pri', ['en-US', 'ru-RU']), ['en-US']);
  t.strictSame(offeredLanguages('hk', []), ['zh-CN', 'en-US']);
  t.equal(homeLanguage('domestic', LANGUAGES), 'zh-CN');
  t.equal(homeLanguage('overseas', offeredLanguages('overseas', [])), 'en-US');
  t.equal(homeLanguage('pri', ['zh-CN']), 'zh-CN');
});

t.test('a missing text falls back: requested, own default, English, any', async (t) => {
  t.strictSame(textIn({ 'ja-JP': '表', 'en-US': 'Table' }, 'ja-JP', 'en-US'), { text: '表', lang: 'ja-JP' });
  t.strictSame(textIn({ 'zh-CN': '表', 'en-US': 'Table' }, 'ko-KR', 'zh-CN'), { text: '表', lang: 'zh-CN' });
  t.strictSame(textIn({ 'ru-RU': 'Таблица' }, 'ko-KR', 'zh-CN'), { text: 'Таблица', lang: 'ru-RU' });
  t.strictSame(textIn({}, 'ko-KR', 'zh-CN'), { text: '', lang: 'ko-KR' });
});
