import { matchPath } from 'react-router-dom';
import {
  BIND_PATH,
  LOGIN_ERROR_PARAMETER,
  LOGIN_PATH,
  RESET_PATH,
  SSO_ERROR_PARAMETER,
} from '../shared/constants.ts';
import { LANGUAGE_PARAMETER } from '../shared/languages.ts';
import { filterOf, queryOf } from './features/plugins/plugin-filter.ts';
import { helpKeywordOf, helpQueryOf } from './pages/help/help-loader.ts';

/** Query parameters that a page reads. */
const LOGIN_PARAMETERS = [
  'response_type',
  'redirect_uri',
  'from',
  'channel',
  'product',
  'ux_mode',
  'ux_from',
  'login_source_id',
  'app_name',
  'bind_other',
  'code_challenge',
  'code_challenge_method',
  'page',
  'purpose',
  SSO_ERROR_PARAMETER,
];
const BIND_PARAMETERS = ['id', 'ux_from', 'login_source_id', 'mainUrl', 'txDocFolderId', SSO_ERROR_PARAMETER];

/** Query parameters that the first view depends on, by path pattern; none for other pages. */
const OF_PAGE: Readonly<Record<string, (asked: URLSearchParams) => URLSearchParams>> = {
  '/plugins/': (asked) => new URLSearchParams(queryOf(filterOf(asked))),
  '/plugins/publish-plugin/single': (asked) => picked(asked, ['plugin_key', 'version']),
  '/help': (asked) => new URLSearchParams(helpQueryOf(helpKeywordOf(asked))),
  [LOGIN_PATH]: (asked) => picked(asked, LOGIN_PARAMETERS),
  [RESET_PATH]: (asked) => picked(asked, LOGIN_PARAMETERS),
  [BIND_PATH]: (asked) => picked(asked, BIND_PARAMETERS),
};
/** Query parameters that the first view of every page depends on. */
const OF_ALL = [LANGUAGE_PARAMETER, 'client', 'embed', LOGIN_ERROR_PARAMETER];

/**
 * The part of a page's query that its first view depends on, normalized. The browser reads the rest; so unknown
 * parameters can't cause new documents to be rendered.
 */
export function firstViewQuery(pathname: string, asked: URLSearchParams): string {
  const pattern = Object.keys(OF_PAGE).find((path) => matchPath(path, pathname));
  const own = pattern === undefined ? undefined : OF_PAGE[pattern]?.(asked);
  const query = new URLSearchParams([...(own ?? []), ...picked(asked, OF_ALL)]);
  return query.size === 0 ? '' : `?${query}`;
}

function picked(asked: URLSearchParams, names: readonly string[]): URLSearchParams {
  return new URLSearchParams(
    names.flatMap((name) => {
      const value = asked.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
