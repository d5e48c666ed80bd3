import { BASE_PATH } from '../../../shared/constants.ts';

/** Base path of plugin pages. */
export const PLUGIN_PATH = `${BASE_PATH}plugin/`;

/** Path of a plugin's page (R 2.12). */
export function pluginPath(pluginKey: string): string {
  return `${PLUGIN_PATH}${pluginKey}`;
}
