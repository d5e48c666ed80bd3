import { BASE_PATH, PROFILE_PATH } from './constants.ts';
import { FALLBACK_LANGUAGE, type Language, textIn, translated } from './languages.ts';
import type { NoticeData, NoticeKind } from './routes/notice.ts';

/** The page of the notices. */
export const NOTICES_PATH = `${BASE_PATH}notifications`;

/** Unsubscribes from mails of one kind, by the token in the address. */
export const UNSUBSCRIBE_PATH = `${BASE_PATH}unsubscribe`;

/** Key of a notice's text in the interface and in mails. */
type NoticeText =
  | Exclude<NoticeKind, 'report_decided' | 'role_changed' | 'installed_withdrawn'>
  | 'taken_back'
  | 'report_upheld'
  | 'report_dismissed'
  | 'publisher_report_upheld'
  | 'publisher_report_dismissed'
  | 'collection_report_upheld'
  | 'collection_report_dismissed'
  | 'role_user'
  | 'role_admin'
  | 'role_super'
  | 'installed_must_stop'
  | 'installed_may_keep'
  | 'installed_version'
  | 'installed_succeeded';

const ROLE_TEXTS = { 0: 'role_user', 1: 'role_super', 2: 'role_admin' } as const;

export function noticeText(
  kind: NoticeKind,
  { was_public, reported, is_upheld, role = 0, version, must_stop, successor_key }: NoticeData,
): NoticeText {
  if (kind === 'report_decided') {
    const outcome = is_upheld ? 'report_upheld' : 'report_dismissed';
    return reported === undefined ? outcome : `${reported}_${outcome}`;
  }
  if (kind === 'installed_withdrawn')
    return version !== undefined
      ? 'installed_version'
      : must_stop
        ? 'installed_must_stop'
        : 'installed_may_keep';
  if (kind === 'installed_deprecated' && successor_key !== undefined) return 'installed_succeeded';
  if (kind === 'role_changed') return ROLE_TEXTS[role];
  return kind === 'rejected' && was_public ? 'taken_back' : kind;
}

const MY_PLUGINS = `${BASE_PATH}my-plugins`;
const ofPlugin = (key: string | undefined, path: (key: string) => string): string =>
  key === undefined ? MY_PLUGINS : path(encodeURIComponent(key));

const PATHS: Readonly<Record<NoticeKind, (data: NoticeData) => string>> = {
  submitted: () => MY_PLUGINS,
  approved: ({ plugin_key }) => ofPlugin(plugin_key, (key) => `${BASE_PATH}plugin/${key}`),
  rejected: ({ plugin_key }) =>
    ofPlugin(plugin_key, (key) => `${BASE_PATH}publish-plugin/single?plugin_key=${key}`),
  report_decided: () => `${MY_PLUGINS}?tab=reports`,
  plugin_warned: ({ plugin_key }) => ofPlugin(plugin_key, (key) => `${BASE_PATH}plugin/${key}`),
  plugin_hidden: ({ plugin_key }) => ofPlugin(plugin_key, (key) => `${BASE_PATH}plugin/${key}`),
  plugin_withdrawn: () => MY_PLUGINS,
  installed_withdrawn: ({ plugin_key, version }) =>
    version === undefined
      ? ofPlugin(plugin_key, (key) => `${BASE_PATH}plugin/${key}`)
      : `${MY_PLUGINS}?tab=installed`,
  plugin_deprecated: ({ plugin_key }) => ofPlugin(plugin_key, (key) => `${BASE_PATH}plugin/${key}`),
  installed_deprecated: () => `${MY_PLUGINS}?tab=installed`,
  profile_hidden: () => PROFILE_PATH,
  verification_failing: () => PROFILE_PATH,
  verification_ended: () => PROFILE_PATH,
  verification_given: () => PROFILE_PATH,
  verification_taken: () => PROFILE_PATH,
  role_changed: ({ role }) => (role ? `${BASE_PATH}backstage-index/audit-list` : BASE_PATH),
  token_ending: () => `${MY_PLUGINS}?tab=tokens`,
  followed_version: ({ plugin_key }) => ofPlugin(plugin_key, (key) => `${BASE_PATH}plugin/${key}`),
  followed_publisher: ({ plugin_key }) => ofPlugin(plugin_key, (key) => `${BASE_PATH}plugin/${key}`),
  followed_tag: ({ plugin_key }) => ofPlugin(plugin_key, (key) => `${BASE_PATH}plugin/${key}`),
};

/** Path of the page that a notice is about. */
export function noticePath(kind: NoticeKind, data: NoticeData): string {
  return PATHS[kind](data);
}

/** The details for a reader, with the names of plugins and the text of a withdrawal or deprecation in their language. */
export function noticeDataIn(
  { plugin_names, successor_names, texts, ...data }: NoticeData,
  language: Language,
): NoticeData {
  const { plugin_name, successor_name } = data;
  return {
    ...data,
    ...(successor_name !== undefined && {
      successor_name: translated(successor_name, successor_names, language),
    }),
    ...(plugin_name !== undefined && { plugin_name: translated(plugin_name, plugin_names, language) }),
    ...(texts && { reason: textIn(texts, language, FALLBACK_LANGUAGE).text }),
  };
}
