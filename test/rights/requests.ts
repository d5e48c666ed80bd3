import { FIELDS, formOf, jsonFile, packageText } from '../community/publishing/publish/form-parts.ts';

/** Subject of the calls: a plugin, its submission in review, and a publish token. */
export type Subject = { plugin_key: string; waiting_key: string; submission_id: number; token_id: number };

/** Any client can name a page of the backstage; no service trusts it. */
export const PAGE = { 'x-page-path': '/plugins/backstage-index/audit-list' } as const;

export type Request = { method: string; path: string; body: string | FormData | undefined };

type Parts = { query?: Record<string, string | number>; body?: object | FormData };

const version = { ...FIELDS, version: '1.7.0', code: jsonFile(packageText()) };

/**
 * Calls whose answer to a permitted caller depends on their subject. All others are sent without content: permitted
 * callers get 400, others are refused before.
 */
const CONTENTS: Readonly<Record<string, (about: Subject) => Parts>> = {
  'GET /api/cmt/plugin': ({ plugin_key }) => ({ query: { plugin_key } }),
  'GET /api/cmt/plugin?waiting': ({ waiting_key }) => ({ query: { plugin_key: waiting_key } }),
  'GET /api/cmt/plugin/statistics?one': ({ plugin_key }) => ({ query: { plugin_key } }),
  'GET /api/cmt/plugin/statistics/insights?one': ({ plugin_key }) => ({ query: { plugin_key } }),
  'GET /api/cmt/plugin/statistics/export?one': ({ plugin_key }) => ({
    query: { plugin_key, table: 'days' },
  }),
  'GET /api/cmt/plugin/version/list': ({ plugin_key }) => ({ query: { plugin_key } }),
  'GET /api/cmt/plugin/history': ({ plugin_key }) => ({ query: { plugin_key } }),
  'GET /api/cmt/activity/activity/info': () => ({ query: {} }),
  'POST /api/cmt/plugin': ({ plugin_key }) => ({
    query: { dry_run: 1 },
    body: formOf({ ...version, plugin_key }),
  }),
  'PUT /api/cmt/plugin': ({ plugin_key }) => ({
    query: { dry_run: 1 },
    body: formOf({ plugin_key, contact: 'new@example.com' }),
  }),
  'DELETE /api/cmt/plugin': ({ plugin_key }) => ({ body: { plugin_key } }),
  'PUT /api/cmt/plugin/version': ({ plugin_key }) => ({
    body: { plugin_key, version: '1.0.0', is_current: true },
  }),
  'GET /api/cmt/plugin/deprecation': ({ plugin_key }) => ({ query: { plugin_key } }),
  'PUT /api/cmt/plugin/deprecation': ({ plugin_key }) => ({ body: { plugin_key, is_deprecated: false } }),
  'GET /api/cmt/plugin/edit': ({ plugin_key }) => ({ query: { plugin_key } }),
  'POST /api/cmt/plugin/token': ({ plugin_key }) => ({ body: { name: 'CI', plugin_key } }),
  'DELETE /api/cmt/plugin/token': ({ token_id }) => ({ body: { id: token_id } }),
  'POST /api/auth/bind/read': () => ({ body: { id: 'nothing' } }),
  'POST /api/auth/enterprise': () => ({ body: { e_id: 1 } }),
  'GET /api/cmt/manager/plugin/audit': ({ submission_id }) => ({ query: { submission_id } }),
};

export function requestOf(call: string, variant: string | undefined, about: Subject): Request {
  const [method = '', path = ''] = call.split(' ');
  const { query = {}, body } = CONTENTS[variant === undefined ? call : `${call}?${variant}`]?.(about) ?? {};
  const filled = path
    .replace('{name}', `${'0'.repeat(32)}.webp`)
    .replace('{sha256}', '0'.repeat(64))
    .replace('{source}', 'nowhere')
    .replace('{uid}', 'unknown')
    .replace(/\{\w+\}/, about.plugin_key);
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const search = new URLSearchParams(entries).toString();
  const sent = body ?? (method === 'GET' ? undefined : {});
  return {
    method,
    path: search === '' ? filled : `${filled}?${search}`,
    body: sent === undefined || sent instanceof FormData ? sent : JSON.stringify(sent),
  };
}
