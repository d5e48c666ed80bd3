import { BASE_PATH } from '../../../shared/constants.ts';

/** Paths of the pages of publishers (specification section 2, design section 5). */
export const PUBLISH_PATH = `${BASE_PATH}publish-plugin/single`;
export const BATCH_PATH = `${BASE_PATH}publish-plugin/batch`;
export const MY_PLUGINS_PATH = `${BASE_PATH}my-plugins`;
/** How own plugins do, all together or the one of `plugin_key`. */
export const STATISTICS_PATH = `${MY_PLUGINS_PATH}?tab=statistics`;

/** Where a plugin is edited; `version` leads to the part where a new version is submitted. */
export function editPath(pluginKey: string, part?: 'version'): string {
  const path = `${PUBLISH_PATH}?${new URLSearchParams({ plugin_key: pluginKey })}`;
  return part ? `${path}#${part}` : path;
}

/** Where the versions of a plugin are looked after. */
export function versionsPath(pluginKey: string): string {
  return `${MY_PLUGINS_PATH}/${pluginKey}/versions`;
}
