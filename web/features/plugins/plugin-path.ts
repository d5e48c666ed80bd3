import { BASE_PATH } from '../../../shared/constants.ts';

/** Where plugins' pages lie. */
export const PLUGIN_PATH = `${BASE_PATH}plugin/`;

/** Path of a plugin's page (design section 5). */
export function pluginPath(pluginKey: string): string {
  return `${PLUGIN_PATH}${pluginKey}`;
}
