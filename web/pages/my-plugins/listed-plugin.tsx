import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import type { Deprecation, PluginCard } from '../../../shared/entities/plugin.ts';
import { DeprecationNote } from '../../features/plugins/deprecation-note.tsx';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import { PublisherLink } from '../../features/publishers/index.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { PluginThumb } from '../plugin-thumb.tsx';
import styles from './installed.module.css';

type ListedPluginProps = {
  plugin: PluginCard;
  /** Still published: it has a page to link to. */
  isAvailable: boolean;
  /** The date it was added, formatted; empty where unknown. */
  since: string;
  /** Says that it was updated since then. */
  updated?: ReactNode;
  /** What the viewer has decided about its updates. */
  hold?: ReactNode;
  /** When a newer version comes. */
  waiting?: ReactNode;
  /** Explains that it is no longer offered. */
  note: ReactNode;
  /** The viewer's version, if it isn't the published one. */
  version?: string;
  /** Marks an installed plugin that isn't public yet. */
  trial?: { badge: string; note: string } | undefined;
  deprecation?: Deprecation | null | undefined;
};

/** Icon and texts of a plugin in one of the viewer's lists. */
export function ListedPlugin({
  plugin,
  isAvailable,
  since,
  updated,
  hold,
  waiting,
  note,
  version,
  trial,
  deprecation,
}: ListedPluginProps) {
  const t = useTranslations('myPlugins');
  const deprecationTexts = useTranslations('deprecation');
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
          {plugin.is_deprecated && (
            <Badge tone="warning" dot>
              {deprecationTexts('badge')}
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
          <span>
            <PublisherLink publisher={plugin.publisher} deleted={t('deleted_account')} />
          </span>
          {since !== '' && <span>{since}</span>}
          {updated && <span>{updated}</span>}
          {hold && <span>{hold}</span>}
          {waiting && <span>{waiting}</span>}
        </p>
        {(trial || !isAvailable) && <div className={styles.note}>{trial ? trial.note : note}</div>}
        {deprecation && (
          <div className={styles.note}>
            <DeprecationNote deprecation={deprecation} />
          </div>
        )}
      </div>
    </>
  );
}
