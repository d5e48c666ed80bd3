import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ALL_TAG_ID, SORT_POPULAR } from '../../../shared/constants.ts';
import { nearestTags } from './nearest-tags.ts';
import { PluginCard } from './plugin-card.tsx';
import { pluginsQuery, tagsQuery } from './plugin-queries.ts';
import { PluginTags } from './plugin-tags.tsx';
import styles from './popular.module.css';

const SHOWN = 4;

/**
 * A way on where a page has nothing to show: tags and popular plugins; for a keyword its nearest tags. Nothing while, or where,
 * there are none.
 */
export function Popular({ keyword = '' }: { keyword?: string }) {
  const t = useTranslations('home');
  const filter = { tag_id: ALL_TAG_ID, keyword: '', sort: SORT_POPULAR } as const;
  const { data } = useInfiniteQuery(pluginsQuery(filter));
  const { data: tags, isPending } = useQuery(tagsQuery());
  const plugins = data?.pages[0]?.plugin_list.slice(0, SHOWN) ?? [];
  // The tags come above the plugins and would move them.
  if (plugins.length === 0 || isPending) return null;
  return (
    <section className={styles.section} aria-labelledby="popular">
      <h2 id="popular" className={styles.title}>
        {t('popular')}
      </h2>
      {tags && (
        <div className={styles.tags}>
          <PluginTags tags={keyword === '' ? tags.tag_list : nearestTags(tags.tag_list, keyword)} />
        </div>
      )}
      <ul className={styles.cards}>
        {plugins.map((plugin) => (
          <li key={plugin.plugin_key}>
            <PluginCard plugin={plugin} load="later" />
          </li>
        ))}
      </ul>
    </section>
  );
}
