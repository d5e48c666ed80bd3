import { BASE_PATH } from '../../../shared/constants.ts';

/** Path of a plugin's page (design section 5). */
export function pluginPath(pluginKey: string): string {
  return `${BASE_PATH}plugin/${pluginKey}`;
}
