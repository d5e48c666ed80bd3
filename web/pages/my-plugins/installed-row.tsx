import { useFormatter, useTranslations } from 'use-intl';
import type { DataFor } from '../../api/client.ts';
import { UpdateOffer } from '../../features/plugins/update-offer.tsx';
import { FramedRow } from '../../ui/framed-rows/framed-rows.tsx';
import styles from './installed.module.css';
import { InstalledActions } from './installed-actions.tsx';
import { ListedPlugin } from './listed-plugin.tsx';

type Installed = DataFor<'listInstalled'>['plugin_list'][number];

/** One installed plugin; when it is uninstalled it keeps its place until the list is loaded again. */
export function InstalledRow({ item }: { item: Installed }) {
  const { plugin, trial, installed_at } = item;
  const t = useTranslations('myPlugins');
  const told = useTranslations('installation');
  const format = useFormatter();
  const isAvailable = trial ? trial !== 'deleted' : item.is_available;
  return (
    <FramedRow className={plugin.is_installed ? undefined : styles.gone}>
      <ListedPlugin
        plugin={plugin}
        isAvailable={isAvailable}
        version={item.version}
        trial={trial ? { badge: told('trial'), note: told(`trial_${trial}`) } : undefined}
        since={
          installed_at &&
          t('installed_at', { when: format.dateTime(new Date(installed_at), { dateStyle: 'medium' }) })
        }
        note={t('not_available_text')}
      />
      {plugin.is_installed && <UpdateOffer plugin={plugin} installation={item} size="s" />}
      <InstalledActions
        plugin={plugin}
        isAvailable={isAvailable}
        mayReturn={isAvailable && !(item.update && item.version === '')}
        seen={item.version || undefined}
      />
    </FramedRow>
  );
}
