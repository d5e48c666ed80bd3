import type { Language } from '../../shared/languages.ts';
import { rareWord, tagNamesOf } from '../data/texts.ts';
import type { Call } from './measure.ts';

const CARDS = 25;
/** Backstage lists of every status merge three short ranges. */
const TABLE = 3 * 21;
/** Matches up to this number are counted and sorted in memory; see findMatches and readFound. */
const FEW = 10_000;

const call = (title: string, as: Call['as'], path: string, page: number): Call => ({
  title,
  as,
  path: () => path,
  page,
});

/** All lists except searches. One plugin in ten has the most frequent tag. */
export const LIST_CALLS: readonly Call[] = [
  call('all, latest', 'visitor', 'plugin/list', CARDS),
  call('all, popular', 'visitor', 'plugin/list?sort=1', CARDS),
  call('commonest tag, latest', 'visitor', 'plugin/list?tag_id=1', CARDS),
  call('commonest tag, popular', 'visitor', 'plugin/list?tag_id=1&sort=1', CARDS),
  call('rarest tag, latest', 'visitor', 'plugin/list?tag_id=20', CARDS),
  call('recommended', 'visitor', 'plugin/recommendation/list', 400),
  call('versions', 'visitor', 'plugin/version/list?plugin_key=many-00000501', CARDS),
  call('sitemap, ranges', 'visitor', 'plugin/sitemap/ranges', CARDS),
  call('sitemap, a range', 'visitor', 'plugin/sitemap?range=0', CARDS),
  call('own plugins, one in fifty', 'publisher', 'plugin/audit', CARDS),
  call('installed, one in fifty', 'user', 'plugin/user/list', CARDS),
  call('liked, one in fifty', 'user', 'plugin/liked', CARDS),
  call('own reports', 'user', 'plugin/report/list', CARDS),
  call('review, waiting', 'admin', 'plugin/audit/list?audit_status=1', TABLE),
  call('review, approved', 'admin', 'plugin/audit/list?audit_status=2', TABLE),
  call('review, refused', 'admin', 'plugin/audit/list?audit_status=3', TABLE),
  call('review, all', 'admin', 'plugin/audit/list', TABLE),
  call('management, latest', 'admin', 'manager/plugin/list', TABLE),
  call('management, installs', 'admin', 'manager/plugin/list?sort=installs', TABLE),
  call('management, likes', 'admin', 'manager/plugin/list?sort=likes', TABLE),
  call('management, views', 'admin', 'manager/plugin/list?sort=views', TABLE),
  call('management, recommended', 'admin', 'manager/plugin/list?sort=recommended', TABLE),
  call('management, refused', 'admin', 'manager/plugin/list?audit_status=3', TABLE),
  call('trail', 'admin', 'manager/audit-trail/list', TABLE),
  call('trail, an action', 'admin', 'manager/audit-trail/list?action=plugin.approve', TABLE),
  call('trail, a target', 'admin', 'manager/audit-trail/list?target_id=target-33', TABLE),
  call('reports', 'admin', 'manager/report/list', TABLE),
  call('reports, dismissed', 'admin', 'manager/report/list?state=dismissed', TABLE),
  call('slots', 'admin', 'plugin/resource_state/list', TABLE),
  call('slots, active', 'visitor', 'plugin/resource_state/active', CARDS),
];

const named = (path: string, keyword: string) => `${path}keyword=${encodeURIComponent(keyword)}`;
const LANGUAGES: readonly Language[] = ['zh-CN', 'ja-JP', 'ko-KR', 'ru-RU', 'en-US', 'es-ES'];

/** Words of one and two characters, prefixes, the most frequent word and a rare one. */
const WORDS: Readonly<Record<Language, string[]>> = {
  'zh-CN': ['色', '的', '颜色', '图层', '渐变'],
  'ja-JP': ['色', 'の', 'カラー', '文字', 'グラ'],
  'ko-KR': ['색', '색상', '글자', '그리드'],
  'ru-RU': ['ц', 'цв', 'цвет', 'слой'],
  'en-US': ['c', 'co', 'color', 'grad', 'the'],
  'es-ES': ['c', 'ca', 'retí', 'color', 'de'],
};

/** Each filter, those of few and of many plugins together, and each order of a search. */
const FILTERED = [
  'reach=nothing',
  'reach=offline',
  'reach=named&sort=1',
  'warnings=none',
  'verified=publisher',
  'editor=pixso',
  'editor=figma&sort=1',
  'lang=es-ES',
  'updated=week',
  'updated=month&sort=1',
  'updated=year',
  'updated=year&sort=1',
  'tags=1,2',
  'tags=19,20',
  'tag_id=1&tags=2&sort=1',
  'reach=offline&warnings=none&editor=pixso&lang=ko-KR',
  'reach=offline&warnings=none&editor=pixso&lang=ko-KR&sort=1',
  'reach=nothing&updated=year&tags=3&lang=ru-RU',
  'keyword=color&sort=0',
  'keyword=color&sort=1',
  'keyword=color&sort=2&reach=offline',
  'keyword=color&reach=offline&warnings=none&editor=pixso&lang=ko-KR',
  'keyword=color&sort=0&updated=year&tags=5',
  'keyword=c&sort=1&editor=whiteboard',
];

export const FILTER_CALLS: readonly Call[] = [
  ...FILTERED.map((query) => call(query, 'visitor', `plugin/list?${query}`, FEW)),
  ...[
    '',
    'tag_id=1',
    'tag_id=20',
    'keyword=color',
    'keyword=c',
    ...FILTERED.filter((query) => !query.includes('sort')),
  ].map((query) => call(`counts, ${query || 'all'}`, 'visitor', `plugin/list/facet?${query}`, FEW)),
];

export const SEARCH_CALLS: readonly Call[] = [
  ...LANGUAGES.flatMap((language) => [
    ...WORDS[language].map((word) =>
      call(`${language.slice(0, 2)} “${word}”`, 'visitor', named('plugin/list?', word), FEW),
    ),
    {
      title: `${language.slice(0, 2)}, a rare word`,
      as: 'visitor' as const,
      path: (count: number) => named('plugin/list?', rareWord(count, language)),
      page: FEW,
    },
    call(
      `${language.slice(0, 2)}, commonest word in the commonest tag`,
      'visitor',
      named('plugin/list?tag_id=1&', tagNamesOf(0)[language] ?? ''),
      FEW,
    ),
  ]),
  call('nothing found', 'visitor', named('plugin/list?', 'qqqzzzxxx'), FEW),
  ...LANGUAGES.flatMap((language) =>
    WORDS[language].map((word) =>
      call(
        `suggestions, ${language.slice(0, 2)} “${word}”`,
        'visitor',
        named(`plugin/suggestion/list?language=${language}&`, word),
        FEW,
      ),
    ),
  ),
  call('review, waiting, common word', 'admin', named('plugin/audit/list?audit_status=1&', 'color'), FEW),
  call('review, approved, common word', 'admin', named('plugin/audit/list?audit_status=2&', 'color'), FEW),
  call('review, all, one character', 'admin', named('plugin/audit/list?', '色'), FEW),
  call('review, waiting, tag', 'admin', 'plugin/audit/list?audit_status=1&tag_id=1', FEW),
  call('management, common word', 'admin', named('manager/plugin/list?', 'color'), FEW),
  call(
    'management, approved, commonest tag, likes',
    'admin',
    'manager/plugin/list?audit_status=2&tag_id=1&sort=likes',
    FEW,
  ),
  call(
    'management, refused, common word',
    'admin',
    named('manager/plugin/list?audit_status=3&', 'color'),
    FEW,
  ),
  {
    title: 'management, rare word',
    as: 'admin',
    path: (count) => named('manager/plugin/list?', rareWord(count, 'en-US')),
    page: FEW,
  },
];
