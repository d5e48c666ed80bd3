import t from 'tap';
import { createFormatter } from 'use-intl';
import { LANGUAGES } from '../../shared/languages.ts';
import { timeAgo } from '../../shared/time-ago.ts';

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
