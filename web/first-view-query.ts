import { matchPath } from 'react-router-dom';
import {
  BIND_PATH,
  DEVICE_PATH,
  LOGIN_ERROR_PARAMETER,
  LOGIN_PATH,
  PUBLISHER_PATH,
  RESET_PATH,
  SSO_ERROR_PARAMETER,
  TOOL_REQUEST_PARAMETER,
  TOOL_REQUEST_PATH,
  USER_CODE_PARAMETER,
} from '../shared/constants.ts';
import { LANGUAGE_PARAMETER } from '../shared/languages.ts';
import { pluginFilterOf, queryOf } from './features/plugins/plugin-filter.ts';
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
const OF_PAGE: Readonly<Record<string, (parameters: URLSearchParams) => URLSearchParams>> = {
  '/plugins/': (parameters) => new URLSearchParams(queryOf(pluginFilterOf(parameters))),
  [`${PUBLISHER_PATH}:handle`]: (parameters) => picked(parameters, ['sort']),
  '/plugins/publish-plugin/single': (parameters) => picked(parameters, ['plugin_key', 'version']),
  '/help': (parameters) => new URLSearchParams(helpQueryOf(helpKeywordOf(parameters))),
  [LOGIN_PATH]: (parameters) => picked(parameters, LOGIN_PARAMETERS),
  [RESET_PATH]: (parameters) => picked(parameters, LOGIN_PARAMETERS),
  [BIND_PATH]: (parameters) => picked(parameters, BIND_PARAMETERS),
  [TOOL_REQUEST_PATH]: (parameters) => picked(parameters, [TOOL_REQUEST_PARAMETER]),
  [DEVICE_PATH]: (parameters) => picked(parameters, [USER_CODE_PARAMETER]),
};
/** Query parameters that the first view of every page depends on. */
const OF_ALL = [LANGUAGE_PARAMETER, 'client', 'embed', LOGIN_ERROR_PARAMETER];

/**
 * The part of a page's query that its first view depends on, normalized. The browser reads the rest; so unknown
 * parameters can't cause new documents to be rendered.
 */
export function firstViewQuery(pathname: string, requested: URLSearchParams): string {
  const pattern = Object.keys(OF_PAGE).find((path) => matchPath(path, pathname));
  const own = pattern === undefined ? undefined : OF_PAGE[pattern]?.(requested);
  const query = new URLSearchParams([...(own ?? []), ...picked(requested, OF_ALL)]);
  return query.size === 0 ? '' : `?${query}`;
}

function picked(parameters: URLSearchParams, names: readonly string[]): URLSearchParams {
  return new URLSearchParams(
    names.flatMap((name) => {
      const value = parameters.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
