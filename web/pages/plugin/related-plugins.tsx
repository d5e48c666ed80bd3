import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { queryOptionsOf } from '../../api/queries.ts';
import { PluginGrid } from '../../features/plugins/plugin-grid.tsx';
import styles from './related-plugins.module.css';

const SHOWN = 4;

/** Plugins that users of this one have too; nothing when there are none or they fail to load. */
export function RelatedPlugins({ pluginKey }: { pluginKey: string }) {
  const t = useTranslations('plugin');
  const { data, isPending } = useQuery(queryOptionsOf('listSimilar', { plugin_key: pluginKey }));
  const plugins = data?.plugin_list ?? [];
  if (!isPending && plugins.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="related">
      <h2 id="related" className={styles.title}>
        {t('related')}
      </h2>
      <PluginGrid plugins={plugins} firstRow="later" loading={isPending} skeletons={SHOWN} />
    </section>
  );
}
