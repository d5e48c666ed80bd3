import { BASE_PATH } from '../../../shared/constants.ts';

/** Paths of publisher pages (R 2.3, R 2.14). */
export const PUBLISH_PATH = `${BASE_PATH}publish-plugin/single`;
export const BATCH_PATH = `${BASE_PATH}publish-plugin/batch`;
export const MY_PLUGINS_PATH = `${BASE_PATH}my-plugins`;
/** Statistics of the viewer's plugins, all or the one of `plugin_key`. */
export const STATISTICS_PATH = `${MY_PLUGINS_PATH}?tab=statistics`;

/** Form of an existing plugin; `version` opens the section for a new version. */
export function editPath(pluginKey: string, part?: 'version'): string {
  const path = `${PUBLISH_PATH}?${new URLSearchParams({ plugin_key: pluginKey })}`;
  return part ? `${path}#${part}` : path;
}

/** Version controls of a plugin. */
export function versionsPath(pluginKey: string): string {
  return `${MY_PLUGINS_PATH}/${pluginKey}/versions`;
}
