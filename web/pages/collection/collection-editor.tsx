import { useTranslations } from 'use-intl';
import type { Collection } from '../../../shared/routes/collection.ts';
import { useOperation } from '../../api/use-operation.ts';
import { collectionQuery } from '../../features/collections/collections-queries.ts';
import { SortedPlugins } from '../sorted-plugins.tsx';
import { useShownOrder } from '../use-shown-order.ts';

/** The plugins of a collection that one may change, in an order that is saved after each move. */
export function CollectionEditor({ collection }: { collection: Collection }) {
  const t = useTranslations('collections');
  const common = useTranslations('common');
  const { collection_key, title, plugin_list } = collection;
  const order = useOperation(
    'orderCollection',
    (plugin_keys: string[]) => ({ collection_key, plugin_keys }),
    {
      ...useShownOrder<Collection>(collectionQuery(collection_key).queryKey),
      done: common('ordered'),
      failsIn: 'toast',
      failed: common('order_failed'),
      mutationKey: ['orderCollection'],
      scope: { id: 'orderCollection' },
    },
  );
  const remove = useOperation(
    'collectPlugin',
    (plugin_key: string) => ({ collection_key, plugin_key, is_in: false }),
    { done: t('uncollected'), failsIn: 'toast', failed: t('collect_failed') },
  );
  return (
    <SortedPlugins
      label={title}
      plugins={plugin_list}
      unavailable={t('not_available')}
      onOrder={order.mutate}
      onRemove={remove.mutate}
      isRemoving={remove.isPending}
    />
  );
}
