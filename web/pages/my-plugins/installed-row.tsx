import { useFormatter, useLocale, useTranslations } from 'use-intl';
import type { DataFor } from '../../api/client.ts';
import { useInstallation } from '../../features/own-plugins/use-installation.ts';
import { PluginIcon } from '../../features/plugins/plugin-icon.tsx';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import { Link } from '../../routing/link.tsx';
import { Badge } from '../../ui/badge/badge.tsx';
import { FramedRow } from '../../ui/framed-rows/framed-rows.tsx';
import styles from './installed.module.css';
import { InstalledActions } from './installed-actions.tsx';

type Installed = DataFor<'listInstalled'>['plugin_list'][number];

/** One installed plugin; when it is uninstalled it keeps its place until the list is read anew. */
export function InstalledRow({ item: { plugin, is_available, installed_at } }: { item: Installed }) {
  const t = useTranslations('myPlugins');
  const format = useFormatter();
  const locale = useLocale();
  const installation = useInstallation(plugin.plugin_key);
  const lang = plugin.lang === locale ? undefined : plugin.lang;
  return (
    <FramedRow className={installation.isInstalled ? undefined : styles.gone}>
      <PluginIcon icon={plugin.icon} name={plugin.name} size={48} />
      <div className={styles.texts}>
        <div className={styles.title}>
          <h2 className={styles.name} lang={lang}>
            {is_available ? <Link to={pluginPath(plugin.plugin_key)}>{plugin.name}</Link> : plugin.name}
          </h2>
          {!is_available && <Badge tone="warning">{t('not_available')}</Badge>}
        </div>
        <p className={styles.meta}>
          <span>{plugin.version}</span>
          <span>{plugin.publisher.is_deleted ? t('deleted_account') : plugin.publisher.nick_name}</span>
          {installed_at !== '' && (
            <span>
              {t('installed_at', {
                when: format.dateTime(new Date(installed_at), { dateStyle: 'medium' }),
              })}
            </span>
          )}
        </p>
        {!is_available && <p className={styles.note}>{t('not_available_text')}</p>}
      </div>
      <InstalledActions plugin={plugin} isAvailable={is_available} installation={installation} />
    </FramedRow>
  );
}
