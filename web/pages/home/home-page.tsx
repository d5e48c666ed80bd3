import { type ComponentProps, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import { BASE_PATH, LATEST_FEED_PATH, PUBLISHING_PATH } from '../../../shared/constants.ts';
import { Banners } from '../../features/banners/banners.tsx';
import { CollectionRow } from '../../features/collections/collection-row.tsx';
import { Featured } from '../../features/plugins/featured.tsx';
import { isOnlyTag, isUnfiltered, pluginFilterOf, queryOf } from '../../features/plugins/plugin-filter.ts';
import { PluginResults } from '../../features/plugins/plugin-results.tsx';
import { PluginRow } from '../../features/plugins/plugin-row.tsx';
import { Recommended } from '../../features/plugins/recommended.tsx';
import { SearchField } from '../../features/plugins/search/search-field.tsx';
import { TagBar } from '../../features/plugins/tag-bar.tsx';
import { useIsAdmin } from '../../features/session/use-session.ts';
import { useSiteName } from '../../layout/brand-mark.tsx';
import { DeferredHydration } from '../../layout/deferred-hydration.tsx';
import { usePageHead } from '../../layout/page-head.tsx';
import { useIsHydrated } from '../../layout/use-is-hydrated.ts';
import { ViewerProvider } from '../viewer-provider.tsx';
import { FillingNote } from './filling-note.tsx';
import { homeData } from './home-data.ts';
import styles from './home-page.module.css';
import { EDITORS_SHOWN, useHomeRows, useTagRows } from './home-rows.ts';
import { NewsLinks } from './news-links.tsx';
import { StartHere } from './start-here.tsx';

/** Home: search, tags, banners, recommended plugins, and all plugins below (R 2.2). */
export function HomePage() {
  const t = useTranslations('home');
  const [query] = useSearchParams();
  const filter = pluginFilterOf(query);
  const unfiltered = isUnfiltered(filter);
  const [page, setPage] = useState(0);
  const isTag = isOnlyTag(filter);
  const home = useHomeRows(page, unfiltered);
  const tag = useTagRows(filter.tag_id, isTag);
  const site = useSiteName();
  usePageHead({
    description: t('intro'),
    ...(filter.keyword === '' && {
      feed: {
        path: LATEST_FEED_PATH + queryOf({ tag_id: filter.tag_id, keyword: '' }),
        title: t('feed_title'),
      },
    }),
    ...(unfiltered && { canonical: BASE_PATH, data: (absolute) => homeData(site, absolute) }),
  });
  return (
    <ViewerProvider>
      <div className={styles.hero} data-folded={filter.keyword !== '' || undefined}>
        <div className={styles.words}>
          <div className={styles.fold}>
            <h1 className={styles.heading}>{t('heading')}</h1>
            <p className={styles.intro}>{t('intro')}</p>
          </div>
        </div>
        <div>
          <SearchField filter={filter} />
        </div>
      </div>
      <div className={styles.tags}>
        <div className={styles.width}>
          <TagBar filter={filter} />
        </div>
      </div>
      <div className={styles.page}>
        <FillingNote filter={filter} />
        {unfiltered && (
          <>
            <Banners />
            <Featured />
            <Recommended page={page} onPage={setPage} without={home.featured} />
            <EditorsRow collections={home.editors} />
            <Row id="trending" title={t('trending')} plugins={home.trending} />
            <Row id="new" title={t('newest')} plugins={home.newest} />
          </>
        )}
        <DeferredHydration>
          {filter.keyword === '' && <NewsLinks filter={filter} />}
          {isTag && <TagRows tag={tag} />}
          <Results
            filter={filter}
            {...(unfiltered && {
              without: home.above,
              lead: <PublishInvitation />,
              isWaiting: home.editors === undefined,
            })}
            {...(isTag && { without: tag.above, isWaiting: tag.row === undefined })}
          />
        </DeferredHydration>
      </div>
    </ViewerProvider>
  );
}

/**
 * All plugins; for administrators of an empty site, a place to start. Only once it is hydrated: who is signed in may be known
 * before this part of the page is.
 */
function Results(props: Omit<ComponentProps<typeof PluginResults>, 'empty'>) {
  const isHydrated = useIsHydrated();
  const isAdmin = useIsAdmin();
  return <PluginResults {...props} empty={isHydrated && isAdmin && <StartHere />} />;
}

/** The way in for publishers; the list below grows while it is read. */
function PublishInvitation() {
  const t = useTranslations('home');
  return (
    <p className={styles.invitation}>
      {t('publish_lead')}{' '}
      <Link className={styles.invitationLink} to={PUBLISHING_PATH}>
        {t('publish_link')}
      </Link>
    </p>
  );
}

/** A row above the list; nothing without plugins. */
function Row(props: Pick<ComponentProps<typeof PluginRow>, 'id' | 'title' | 'plugins'>) {
  return props.plugins?.length === 0 ? null : <PluginRow {...props} load="later" />;
}

/** Collections of the editors; nothing without any. */
function EditorsRow({ collections }: Pick<ComponentProps<typeof CollectionRow>, 'collections'>) {
  const t = useTranslations('collectionList');
  return <CollectionRow title={t('editors')} collections={collections} skeletons={EDITORS_SHOWN} />;
}

/** What a tag is for, and its row of plugins. */
function TagRows({ tag: { intro, row } }: { tag: ReturnType<typeof useTagRows> }) {
  const t = useTranslations('home');
  const locale = useLocale();
  return (
    <>
      {intro && intro.intro !== '' && (
        <p className={styles.tagIntro} lang={intro.intro_lang === locale ? undefined : intro.intro_lang}>
          {intro.intro}
        </p>
      )}
      <Row id="tag-featured" title={t('featured')} plugins={row} />
    </>
  );
}
