import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { SORT_POPULAR } from '../../../shared/constants.ts';
import type { PluginDetail } from '../../../shared/entities/plugin.ts';
import { PluginGrid } from '../../features/plugins/plugin-grid.tsx';
import { publisherPath, publisherPluginsQuery } from '../../features/publishers/index.ts';
import styles from './related-plugins.module.css';

const SHOWN = 4;

/** Other plugins of the publisher; nothing when there are none, the service has no pages of publishers, or it fails. */
export function MoreByPublisher({
  plugin: { plugin_key, publisher, unpublished },
}: {
  plugin: PluginDetail;
}) {
  const t = useTranslations('plugin');
  const { handle = '', nick_name } = publisher;
  const { data } = useInfiniteQuery({
    ...publisherPluginsQuery(handle, SORT_POPULAR),
    // Who has published nothing, or has deleted their account, has no page.
    enabled: handle !== '' && unpublished === undefined && !publisher.is_deleted,
  });
  const others = data?.pages[0]?.plugin_list.filter((other) => other.plugin_key !== plugin_key) ?? [];
  if (others.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="more-by">
      <h2 id="more-by" className={styles.title}>
        <Link to={publisherPath(handle)}>{t('more_by', { publisher: nick_name })}</Link>
      </h2>
      <PluginGrid plugins={others.slice(0, SHOWN)} firstRow="later" loading={false} />
    </section>
  );
}
