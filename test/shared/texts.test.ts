import t from 'tap';
import { createFormatter } from 'use-intl';
import { homeLanguage, offeredLanguages } from '../../shared/deploy-types.ts';
import { LANGUAGES, languageOfCookie, languageOfHeader, textIn } from '../../shared/languages.ts';
import { siteLink } from '../../shared/site-link.ts';
import { timeAgo } from '../../shared/time-ago.ts';
import { isVisible } from '../../shared/visible-text.ts';

t.test('languages', async (t) => {
  t.test('cookie values map to languages (R 12.2), other values to none', async (t) => {
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

  t.test('sites offer their languages (R 12.5)', async (t) => {
    t.strictSame(offeredLanguages('domestic', []), LANGUAGES);
    t.strictSame(offeredLanguages('overseas', []), ['en-US', 'ja-JP', 'ko-KR', 'ru-RU', 'es-ES']);
    t.strictSame(offeredLanguages('pri', ['en-US', 'ru-RU']), ['en-US']);
    t.strictSame(offeredLanguages('hk', []), ['zh-CN', 'en-US']);
    t.equal(homeLanguage('domestic', LANGUAGES), 'zh-CN');
    t.equal(homeLanguage('overseas', offeredLanguages('overseas', [])), 'en-US');
    t.equal(homeLanguage('pri', ['zh-CN']), 'zh-CN');
  });

  t.test('a missing text falls back: requested, English, own default, any', async (t) => {
    t.strictSame(textIn({ 'ja-JP': '表', 'en-US': 'Table' }, 'ja-JP', 'en-US'), {
      text: '表',
      lang: 'ja-JP',
    });
    const CHINESE = { 'zh-CN': '表', 'en-US': 'Table', 'ru-RU': 'Таблица' };
    for (const reader of ['ja-JP', 'ko-KR', 'es-ES'] as const)
      t.strictSame(textIn(CHINESE, reader, 'zh-CN'), { text: 'Table', lang: 'en-US' }, reader);
    t.strictSame(textIn({ 'zh-CN': '表', 'en-US': '', 'ru-RU': 'Таблица' }, 'ko-KR', 'zh-CN'), {
      text: '表',
      lang: 'zh-CN',
    });
    t.strictSame(textIn({ 'ru-RU': 'Таблица' }, 'ko-KR', 'zh-CN'), { text: 'Таблица', lang: 'ru-RU' });
    t.strictSame(textIn({}, 'ko-KR', 'zh-CN'), { text: '', lang: 'ko-KR' });
  });
});

t.test('links of the site', async (t) => {
  const GOOD: [text: string, link: string][] = [
    ['https://example.org', 'https://example.org/'],
    ['  http://example.org:8080/a?b=c#d ', 'http://example.org:8080/a?b=c#d'],
    ['HTTPS://EXAMPLE.org/A', 'https://example.org/A'],
    ['https://例え.jp/道', 'https://xn--r8jz45g.jp/%E9%81%93'],
    ['https://[::1]/x', 'https://[::1]/x'],
    ['https://example.org/a@b', 'https://example.org/a@b'],
    ['/plugins/plugin/abcdefgh', '/plugins/plugin/abcdefgh'],
    ['/', '/'],
    ['/a/../b?c#d', '/b?c#d'],
    ['/a?u=https://example.org', '/a?u=https://example.org'],
  ];

  const BAD = [
    '',
    ' ',
    'example.org',
    'plugins/x',
    '?a=b',
    '#a',
    '//example.org',
    '///example.org',
    '/\\example.org',
    '\\\\example.org',
    '/a/..//example.org',
    '/.//example.org',
    '/\t/example.org',
    '/a b',
    '/a\nb',
    '/a\u0000',
    '/a\u007f',
    '/a\ud800',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\tscript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.org',
    'mailto:a@example.org',
    'blob:https://example.org/x',
    'https:',
    'https://',
    'https:///example.org',
    'https:example.org',
    'https:/example.org',
    'https:\\\\example.org',
    'https://user@example.org',
    'https://user:password@example.org',
    'https://@example.org',
    'https://example.org:99999',
    'https://exa mple.org',
    'https://example.org\\@evil.example',
    'https://?x',
    'https://[::1',
  ];

  t.test('web addresses and paths of this site become normalised links', async (t) => {
    for (const [text, link] of GOOD) t.equal(siteLink(text), link, text);
  });

  t.test('nothing else is a link', async (t) => {
    for (const text of BAD) t.equal(siteLink(text), null, JSON.stringify(text));
  });

  t.test('a checked link does not change when it is checked again', async (t) => {
    for (const [, link] of GOOD) t.equal(siteLink(link), link);
  });
});

t.test('ages', async (t) => {
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  const DAY = 24 * HOUR;
  const NOW = Date.UTC(2026, 10, 21, 12);

  const AGES = [0, -DAY, 90_000, 59.9 * MINUTE, HOUR, 23.9 * HOUR, 5 * DAY, 30.4 * DAY, 31 * DAY, 3000 * DAY];

  const SAID = {
    'zh-CN': [
      '1分钟前',
      '1分钟前',
      '1分钟前',
      '59分钟前',
      '1小时前',
      '23小时前',
      '5天前',
      '30天前',
      '1个月前',
      '98个月前',
    ],
    'en-US': [
      '1 minute ago',
      '1 minute ago',
      '1 minute ago',
      '59 minutes ago',
      '1 hour ago',
      '23 hours ago',
      '5 days ago',
      '30 days ago',
      '1 month ago',
      '98 months ago',
    ],
    'ja-JP': [
      '1 分前',
      '1 分前',
      '1 分前',
      '59 分前',
      '1 時間前',
      '23 時間前',
      '5 日前',
      '30 日前',
      '1 か月前',
      '98 か月前',
    ],
    'ko-KR': [
      '1분 전',
      '1분 전',
      '1분 전',
      '59분 전',
      '1시간 전',
      '23시간 전',
      '5일 전',
      '30일 전',
      '1개월 전',
      '98개월 전',
    ],
    'ru-RU': [
      '1 минуту назад',
      '1 минуту назад',
      '1 минуту назад',
      '59 минут назад',
      '1 час назад',
      '23 часа назад',
      '5 дней назад',
      '30 дней назад',
      '1 месяц назад',
      '98 месяцев назад',
    ],
    'es-ES': [
      'hace 1 minuto',
      'hace 1 minuto',
      'hace 1 minuto',
      'hace 59 minutos',
      'hace 1 hora',
      'hace 23 horas',
      'hace 5 días',
      'hace 30 días',
      'hace 1 mes',
      'hace 98 meses',
    ],
  } as const;

  t.test('an age is shown in whole months, days, hours or minutes, in every language', async (t) => {
    for (const language of LANGUAGES) {
      const format = createFormatter({ locale: language });
      const said = AGES.map((age) => {
        const { unit, milliseconds } = timeAgo(age);
        return format.relativeTime(NOW - milliseconds, { now: NOW, unit });
      });
      t.strictSame(said, SAID[language], language);
    }
  });

  t.test('a unit is used from its full length', async (t) => {
    t.strictSame(timeAgo(HOUR - 1), { unit: 'minute', milliseconds: 59 * MINUTE });
    t.strictSame(timeAgo(HOUR), { unit: 'hour', milliseconds: HOUR });
    t.strictSame(timeAgo(DAY - 1), { unit: 'hour', milliseconds: 23 * HOUR });
    t.strictSame(timeAgo((365 / 12) * DAY - 1), { unit: 'day', milliseconds: 30 * DAY });
    t.equal(timeAgo((365 / 12) * DAY).unit, 'month');
  });
});

t.test('a text has something to see', async (t) => {
  for (const text of ['a', 'é', 'е\u0301', '图', '1', '-', '…', '😀', '👩‍💻', 'ー', '⠁', ' \u3164a'])
    t.equal(isVisible(text), true, JSON.stringify(text));
  for (const text of [
    '',
    ' ',
    '\u00a0\u3000\u2003',
    '\n\t',
    '\u3164',
    '\u115f\u1160',
    '\uffa0',
    '\u2800\u2800',
    '\u200b',
    '\u200b\u200c\u200d\u2060\ufeff',
    '\u00ad',
    '\u034f',
    '\u0301\u0302',
    '\u0903',
    '\ufe0f',
    '\u{e0041}\u{e007f}',
    '\u{e0100}',
    '\u202e\u2066',
    '\u180e',
    '\u17b4',
    '\u{1d159}',
    '\u{1d173}',
    '\ue000',
    '\ud800',
    ' \u3164 \u0301\u2800',
  ])
    t.equal(isVisible(text), false, JSON.stringify(text));
});
