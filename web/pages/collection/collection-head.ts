import type { CollectionPage, WithContext } from 'schema-dts';
import { pictureUrl } from '../../../shared/media.ts';
import type { Collection } from '../../../shared/routes/collection.ts';
import { pathOfCollection } from '../../features/collections/collections-queries.ts';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import type { HeadPicture, PageHead } from '../../layout/page-head.tsx';

/** Metadata of a collection's page. Search engines list it only if everybody may read it. */
export function collectionHead(collection: Collection): PageHead {
  const { title, description, access, is_hidden } = collection;
  const image = shareImage(collection);
  const isListed = access === 'public' && !is_hidden;
  return {
    title,
    ...(description !== '' && { description }),
    ...(image && { image }),
    ...(isListed && {
      canonical: pathOfCollection(collection),
      data: (absolute) => collectionData(collection, absolute),
    }),
  };
}

/** The cover, or that of the first plugin that has one. */
function shareImage({ title, picture, plugin_list }: Collection): HeadPicture | undefined {
  const shown = picture ?? plugin_list.find(({ plugin }) => plugin.cover)?.plugin.cover;
  if (!shown) return undefined;
  const width = Math.max(...shown.widths);
  const height = Math.round((width * shown.height) / shown.width);
  return { path: pictureUrl(shown.key, width), width, height, alt: title };
}

/** A collection in the terms of schema.org. */
function collectionData(
  collection: Collection,
  absolute: (path: string) => string,
): WithContext<CollectionPage> {
  const { title, description, owner, plugin_list, updated_at } = collection;
  const plugins = plugin_list.filter(({ is_available }) => is_available);
  return {
    '@context': 'https://schema.org',
    '@type': 'CollectionPage',
    name: title,
    url: absolute(pathOfCollection(collection)),
    ...(description !== '' && { description }),
    ...(updated_at !== '' && { dateModified: updated_at }),
    ...(owner.nick_name !== '' && { author: { '@type': 'Person', name: owner.nick_name } }),
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: plugins.length,
      itemListElement: plugins.map(({ plugin }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: plugin.name,
        url: absolute(pluginPath(plugin.plugin_key)),
      })),
    },
  };
}
