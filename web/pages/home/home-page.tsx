import { useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { Banners } from '../../features/banners/banners.tsx';
import { Featured } from '../../features/plugins/featured.tsx';
import { filterOf, isUnfiltered } from '../../features/plugins/plugin-filter.ts';
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
  usePageHead({ description: t('intro'), ...(whole ? { canonical: BASE_PATH } : {}) });
  return (
    <VisitorGate>
      <div className={styles.hero} data-banner-area>
        <h1 className={styles.heading}>{t('heading')}</h1>
        <p className={styles.intro}>{t('intro')}</p>
        <div className={styles.search}>
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
            <Recommended />
          </>
        )}
        <Section>
          <PluginResults filter={filter} />
        </Section>
      </div>
    </VisitorGate>
  );
}
