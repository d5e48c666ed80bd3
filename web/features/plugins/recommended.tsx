import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Button } from '../../ui/button/button.tsx';
import { RefreshIcon } from '../../ui/icon/action-icons.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { InstallButton } from './install-button.tsx';
import { PluginIcon } from './plugin-icon.tsx';
import { PluginLink } from './plugin-link.tsx';
import { PluginMark } from './plugin-mark.tsx';
import { recommendedQuery } from './plugin-queries.ts';
import { QueryError } from './query-error.tsx';
import styles from './recommended.module.css';
import type { ShownPlugin } from './shown-plugin.ts';

const SKELETON_KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** The recommended plugins, with a button that shows others. */
export function Recommended() {
  const t = useTranslations('home');
  const [page, setPage] = useState(0);
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    ...recommendedQuery(page),
    placeholderData: keepPreviousData,
  });
  if (data?.plugin_list.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="recommended">
      <div className={styles.head}>
        <h2 id="recommended" className={styles.title}>
          {t('recommended')}
        </h2>
        {data && data.page_count > 1 && (
          <Button
            variant="quiet"
            size="s"
            busy={isPlaceholderData}
            onClick={() => setPage((page + 1) % data.page_count)}
          >
            {!isPlaceholderData && <RefreshIcon size={15} />}
            {t('recommended_refresh')}
          </Button>
        )}
      </div>
      {error && !data ? (
        <QueryError error={error} busy={isFetching} onRetry={refetch} />
      ) : (
        <ul className={styles.tiles} aria-busy={!data}>
          {data?.plugin_list.map((plugin) => (
            <li key={plugin.plugin_key}>
              <RecommendedTile plugin={plugin} />
            </li>
          )) ??
            SKELETON_KEYS.map((key) => (
              <li key={key} aria-hidden="true">
                <Skeleton shape="block" className={styles.place} />
              </li>
            ))}
        </ul>
      )}
    </section>
  );
}

/** A recommended plugin in brief: icon, name, one line, install. */
const RecommendedTile = memo(function RecommendedTile({ plugin }: { plugin: ShownPlugin }) {
  const locale = useLocale();
  const lang = plugin.lang === locale ? undefined : plugin.lang;
  return (
    <article className={styles.tile}>
      <PluginIcon icon={plugin.icon} name={plugin.name} size={48} />
      <div className={styles.texts} lang={lang}>
        <div className={styles.line}>
          <h3 className={styles.name}>
            <PluginLink pluginKey={plugin.plugin_key} className={styles.link}>
              {plugin.name}
            </PluginLink>
          </h3>
          <PluginMark plugin={plugin} />
        </div>
        <p className={styles.intro}>{plugin.intro}</p>
      </div>
      <InstallButton plugin={plugin} shows="icon" />
    </article>
  );
});
