import { Link } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import type { PluginCard } from '../../../shared/entities/plugin.ts';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { PluginThumb } from '../plugin-thumb.tsx';
import styles from './installed.module.css';

type ListedPluginProps = {
  plugin: PluginCard;
  /** Still in the marketplace: it has a page to lead to. */
  isAvailable: boolean;
  /** Since when it is on the list, in words; empty where that is not known. */
  since: string;
  /** What it means that it is no longer offered. */
  note: string;
  /** What the viewer has of it, where that is not what is published. */
  version?: string;
  /** Marks what is installed before it is public. */
  trial?: { badge: string; note: string } | undefined;
};

/** Icon and texts of a plugin on one of the viewer's lists. */
export function ListedPlugin({ plugin, isAvailable, since, note, version, trial }: ListedPluginProps) {
  const t = useTranslations('myPlugins');
  const locale = useLocale();
  const lang = plugin.lang === locale ? undefined : plugin.lang;
  return (
    <>
      <PluginThumb plugin={plugin} />
      <div className={styles.texts}>
        <div className={styles.title}>
          <h2 className={styles.name} lang={lang}>
            {isAvailable ? <Link to={pluginPath(plugin.plugin_key)}>{plugin.name}</Link> : plugin.name}
          </h2>
          {trial && (
            <Badge tone="warning" dot>
              {trial.badge}
            </Badge>
          )}
          {!trial && !isAvailable && (
            <Badge tone="warning" dot>
              {t('not_available')}
            </Badge>
          )}
        </div>
        <p className={styles.meta}>
          <span>{version || plugin.version}</span>
          <span>{plugin.publisher.is_deleted ? t('deleted_account') : plugin.publisher.nick_name}</span>
          {since !== '' && <span>{since}</span>}
        </p>
        {(trial || !isAvailable) && <p className={styles.note}>{trial ? trial.note : note}</p>}
      </div>
    </>
  );
}
