import type { CollectionPage, WithContext } from 'schema-dts';
import { COLLECTIONS_PATH } from '../../../shared/constants.ts';
import type { PublicCollection } from '../../../shared/routes/collection.ts';
import { pathOfCollection } from '../../features/collections/collections-queries.ts';

/**
 * The list of collections for search engines, in the terms of schema.org.
 * @param absolute makes an address of a path of this site
 */
export function collectionListData(
  name: string,
  collections: readonly PublicCollection[],
  absolute: (path: string) => string,
): WithContext<CollectionPage> {
  return {
    '@context': 'https://schema.org',
    '@type': 'CollectionPage',
    name,
    url: absolute(COLLECTIONS_PATH),
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: collections.length,
      itemListElement: collections.map((collection, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: collection.title,
        url: absolute(pathOfCollection(collection)),
      })),
    },
  };
}
