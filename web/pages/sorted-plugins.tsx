import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { PluginCard } from '../../shared/entities/plugin.ts';
import { pluginPath } from '../features/plugins/plugin-path.ts';
import { ItemRow } from '../features/sorting/item-row.tsx';
import { SortableList } from '../features/sorting/sortable-list.tsx';
import { Badge } from '../ui/badge/badge.tsx';
import { Button } from '../ui/button/button.tsx';
import { ShortText } from '../ui/visually-hidden/short-text.tsx';

type Props = {
  /** Name of the list. */
  label: string;
  plugins: readonly { plugin: PluginCard; is_available: boolean }[];
  /** Says that a plugin isn't published any more. */
  unavailable: string;
  onOrder: (pluginKeys: string[]) => void;
  onRemove: (pluginKey: string) => void;
  isRemoving: boolean;
};

/** Plugins that people have put together, in an order that is saved after each move. */
export function SortedPlugins({ label, plugins, unavailable, onOrder, onRemove, isRemoving }: Props) {
  const t = useTranslations('collections');
  const nameOf = (key: string | number): string =>
    plugins.find(({ plugin }) => plugin.plugin_key === key)?.plugin.name ?? '';
  return (
    <SortableList
      label={label}
      ids={plugins.map(({ plugin }) => plugin.plugin_key)}
      nameOf={nameOf}
      onOrder={onOrder}
    >
      {plugins.map(({ plugin, is_available }) => (
        <ItemRow
          key={plugin.plugin_key}
          sort={{ id: plugin.plugin_key, name: plugin.name }}
          picture={plugin.icon}
          title={is_available ? <Link to={pluginPath(plugin.plugin_key)}>{plugin.name}</Link> : plugin.name}
          facts={plugin.intro}
          status={!is_available && <Badge tone="warning">{unavailable}</Badge>}
          actions={
            <Button
              variant="outline"
              size="s"
              disabled={isRemoving}
              onClick={() => onRemove(plugin.plugin_key)}
            >
              <ShortText full={t('remove_named', { name: plugin.name })}>{t('remove')}</ShortText>
            </Button>
          }
        />
      ))}
    </SortableList>
  );
}
