import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { Banners } from '../../features/banners/banners.tsx';
import { Featured } from '../../features/plugins/featured.tsx';
import { filterOf, isUnfiltered } from '../../features/plugins/plugin-filter.ts';
import { recommendedQuery } from '../../features/plugins/plugin-queries.ts';
import { PluginResults } from '../../features/plugins/plugin-results.tsx';
import { PluginSearch } from '../../features/plugins/plugin-search.tsx';
import { Recommended } from '../../features/plugins/recommended.tsx';
import { TagBar } from '../../features/plugins/tag-bar.tsx';
import { usePageHead } from '../../layout/page-head.tsx';
import { Section } from '../../layout/section.tsx';
import { VisitorGate } from '../visitor-gate.tsx';
import styles from './home-page.module.css';

/** Home: search, tags, banners, recommended plugins, and all plugins below (specification section 2). */
export function HomePage() {
  const t = useTranslations('home');
  const [query] = useSearchParams();
  const filter = filterOf(query);
  const whole = isUnfiltered(filter);
  const [page, setPage] = useState(0);
  const { featured, above } = useAbove(page, whole);
  usePageHead({ description: t('intro'), ...(whole ? { canonical: BASE_PATH } : {}) });
  return (
    <VisitorGate>
      <div className={styles.hero} data-folded={filter.keyword !== '' || undefined} data-banner-area>
        <div className={styles.words}>
          <div className={styles.fold}>
            <h1 className={styles.heading}>{t('heading')}</h1>
            <p className={styles.intro}>{t('intro')}</p>
          </div>
        </div>
        <div>
          <PluginSearch filter={filter} />
        </div>
      </div>
      <div className={styles.tags}>
        <div className={styles.width}>
          <TagBar filter={filter} />
        </div>
      </div>
      <div className={styles.page}>
        {whole && (
          <>
            <Banners />
            <Featured />
            <Recommended page={page} onPage={setPage} without={featured} />
          </>
        )}
        <Section>
          <PluginResults filter={filter} without={whole ? above : undefined} />
        </Section>
      </div>
    </VisitorGate>
  );
}

/** Keys of the plugins above the list, so that none is on the page twice. */
function useAbove(page: number, enabled: boolean) {
  const { data: slots } = useQuery({ ...queryOptionsOf('listActiveSlots', {}), enabled });
  const { data: recommended } = useQuery({ ...recommendedQuery(page), enabled });
  const featured = useMemo(() => new Set(slots?.slot_list.map(({ plugin }) => plugin.plugin_key)), [slots]);
  const above = useMemo(
    () => new Set([...featured, ...(recommended?.plugin_list.map(({ plugin_key }) => plugin_key) ?? [])]),
    [featured, recommended],
  );
  return { featured, above };
}
