import { useTranslations } from 'use-intl';
import type { Kit } from '../../../../shared/routes/kit.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { SortedPlugins } from '../../sorted-plugins.tsx';
import { useShownOrder } from '../../use-shown-order.ts';
import { kitQuery } from './kit-query.ts';

/** The plugins of a kit, in an order that is saved after each move. */
export function KitPlugins({ kit: { id, name, plugin_list } }: { kit: Kit }) {
  const t = useTranslations('kits');
  const common = useTranslations('common');
  const order = useOperation('orderKit', (plugin_keys: string[]) => ({ id, plugin_keys }), {
    ...useShownOrder<Kit>(kitQuery(id).queryKey),
    done: common('ordered'),
    failsIn: 'toast',
    failed: common('order_failed'),
    mutationKey: ['orderKit'],
    scope: { id: 'orderKit' },
  });
  const remove = useOperation('setKitPlugin', (plugin_key: string) => ({ id, plugin_key, is_in: false }), {
    done: t('removed'),
    failsIn: 'toast',
    failed: t('change_failed'),
  });
  return (
    <SortedPlugins
      label={name}
      plugins={plugin_list}
      unavailable={t('not_available')}
      onOrder={order.mutate}
      onRemove={remove.mutate}
      isRemoving={remove.isPending}
    />
  );
}
