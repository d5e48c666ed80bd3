import { BASE_PATH } from '../../../shared/constants.ts';
import { queryOptionsOf } from '../../api/queries.ts';

/** The viewer's collections; with a plugin, whether each has it. */
export const ownCollectionsQuery = (pluginKey?: string) =>
  queryOptionsOf('listOwnCollections', pluginKey === undefined ? {} : { plugin_key: pluginKey }, {
    staleTime: 0,
  });

export const collectionQuery = (key: string) => queryOptionsOf('readCollection', { collection_key: key });

export function collectionPath(key: string): string {
  return `${BASE_PATH}collection/${key}`;
}
