import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { Kit } from '../../../../shared/routes/kit.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';
import { ItemRow } from '../../../features/sorting/item-row.tsx';
import { SortableList } from '../../../features/sorting/sortable-list.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { ShortText } from '../../../ui/visually-hidden/short-text.tsx';
import { kitQuery } from './kit-query.ts';

/** The plugins of a kit, in an order that is saved after each move. */
export function KitPlugins({ kit: { id, name, plugin_list } }: { kit: Kit }) {
  const t = useTranslations('kits');
  const order = useOrder(id);
  const remove = useOperation('setKitPlugin', (plugin_key: string) => ({ id, plugin_key, is_in: false }), {
    done: t('removed'),
    failsIn: 'toast',
    failed: t('change_failed'),
  });
  const nameOf = (key: string | number): string =>
    plugin_list.find(({ plugin }) => plugin.plugin_key === key)?.plugin.name ?? '';
  return (
    <SortableList
      label={name}
      ids={plugin_list.map(({ plugin }) => plugin.plugin_key)}
      nameOf={nameOf}
      onOrder={(keys) => order.mutate(keys)}
    >
      {plugin_list.map(({ plugin, is_available }) => (
        <ItemRow
          key={plugin.plugin_key}
          sort={{ id: plugin.plugin_key, name: plugin.name }}
          picture={plugin.icon}
          title={is_available ? <Link to={pluginPath(plugin.plugin_key)}>{plugin.name}</Link> : plugin.name}
          facts={plugin.intro}
          status={!is_available && <Badge tone="warning">{t('not_available')}</Badge>}
          actions={
            <Button
              variant="outline"
              size="s"
              disabled={remove.isPending}
              onClick={() => remove.mutate(plugin.plugin_key)}
            >
              <ShortText full={t('remove_named', { name: plugin.name })}>{t('remove')}</ShortText>
            </Button>
          }
        />
      ))}
    </SortableList>
  );
}

/** Reorders the plugins: shown at once, taken back if it fails. */
function useOrder(id: number) {
  const t = useTranslations('common');
  const client = useQueryClient();
  const { queryKey } = kitQuery(id);
  return useOperation('orderKit', (plugin_keys: string[]) => ({ id, plugin_keys }), {
    done: t('ordered'),
    failsIn: 'toast',
    failed: t('order_failed'),
    mutationKey: ['orderKit'],
    scope: { id: 'orderKit' },
    onMutate: async (keys) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      const place = (key: string): number => keys.indexOf(key);
      client.setQueryData(
        queryKey,
        before && {
          ...before,
          plugin_list: before.plugin_list.toSorted(
            (a, b) => place(a.plugin.plugin_key) - place(b.plugin.plugin_key),
          ),
        },
      );
      return { before };
    },
    onError: (_error, _keys, context) => void client.setQueryData(queryKey, context?.before),
  });
}
