import { useFormatter, useTranslations } from 'use-intl';
import type { DataFor } from '../../api/client.ts';
import { useInstallation } from '../../features/own-plugins/use-installation.ts';
import { FramedRow } from '../../ui/framed-rows/framed-rows.tsx';
import styles from './installed.module.css';
import { InstalledActions } from './installed-actions.tsx';
import { ListedPlugin } from './listed-plugin.tsx';

type Installed = DataFor<'listInstalled'>['plugin_list'][number];

/** One installed plugin; when it is uninstalled it keeps its place until the list is loaded again. */
export function InstalledRow({ item: { plugin, is_available, installed_at } }: { item: Installed }) {
  const t = useTranslations('myPlugins');
  const format = useFormatter();
  const installation = useInstallation(plugin.plugin_key);
  return (
    <FramedRow className={installation.isOn ? undefined : styles.gone}>
      <ListedPlugin
        plugin={plugin}
        isAvailable={is_available}
        since={
          installed_at &&
          t('installed_at', { when: format.dateTime(new Date(installed_at), { dateStyle: 'medium' }) })
        }
        note={t('not_available_text')}
      />
      <InstalledActions plugin={plugin} isAvailable={is_available} installation={installation} />
    </FramedRow>
  );
}
