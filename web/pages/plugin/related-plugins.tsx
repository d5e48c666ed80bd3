import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { SORT_POPULAR } from '../../../shared/constants.ts';
import type { Tag } from '../../../shared/entities/plugin.ts';
import { PluginGrid } from '../../features/plugins/plugin-grid.tsx';
import { pluginsQuery } from '../../features/plugins/plugin-queries.ts';
import styles from './related-plugins.module.css';

const SHOWN = 4;

/** Popular plugins with a common tag; nothing when there are none or they fail to load. */
export function RelatedPlugins({ pluginKey, tag }: { pluginKey: string; tag: Tag }) {
  const t = useTranslations('plugin');
  const { data, isPending } = useInfiniteQuery(
    pluginsQuery({ tag_id: tag.id, keyword: '', sort: SORT_POPULAR }),
  );
  const others = data?.pages[0]?.plugin_list.filter(({ plugin_key }) => plugin_key !== pluginKey) ?? [];
  if (!isPending && others.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="related">
      <h2 id="related" className={styles.title}>
        {t('related', { tag: tag.name })}
      </h2>
      <PluginGrid plugins={others.slice(0, SHOWN)} firstRow="later" loading={isPending} skeletons={SHOWN} />
    </section>
  );
}
