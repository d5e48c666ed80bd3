import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import LayersIcon from 'lucide-react/icons/layers';
import SearchIcon from 'lucide-react/icons/search';
import { type ReactNode, useCallback } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import {
  ALL_TAG_ID,
  BASE_PATH,
  SORT_LATEST,
  SORT_POPULAR,
  SORT_RELEVANCE,
} from '../../../shared/constants.ts';
import type { PluginPage } from '../../../shared/entities/plugin.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Notice } from '../../ui/notice/notice.tsx';
import { Segmented, segmentClass } from '../../ui/segmented/segmented.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import visuallyHidden from '../../ui/visually-hidden/visually-hidden.module.css';
import { FilterLink } from './filter-link.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { NothingLeft } from './filters/nothing-left.tsx';
import { LoadMore } from './load-more.tsx';
import { hasChoices, isUnfiltered, type PluginFilter } from './plugin-filter.ts';
import { PluginGrid } from './plugin-grid.tsx';
import { pluginsQuery, tagsQuery } from './plugin-queries.ts';
import styles from './plugin-results.module.css';
import { Popular } from './popular.tsx';
import { QueryError } from './query-error.tsx';

type PluginResultsProps = {
  filter: PluginFilter;
  /** Keys of plugins that are already shown on the page. */
  without?: ReadonlySet<string> | undefined;
  /** While it is not known yet what the page shows above: plugins would leave the list again. */
  isWaiting?: boolean;
  /** Above everything. */
  lead?: ReactNode;
  /** In place of everything and its lead, where no plugin is published at all. */
  empty?: ReactNode;
};

/**
 * The plugins of a filter: heading, count, order, filters, cards and infinite scroll; nothing where all of them are shown
 * above.
 */
export function PluginResults({ filter, without, isWaiting = false, lead, empty }: PluginResultsProps) {
  const list = useTranslations('list');
  const {
    data,
    error,
    isFetching,
    isFetchingNextPage,
    isFetchNextPageError,
    hasNextPage,
    fetchNextPage,
    refetch,
  } = useInfiniteQuery(pluginsQuery(filter));
  const more = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]);
  const listed = data?.pages.flatMap((page) => page.plugin_list) ?? [];
  const plugins = isWaiting ? [] : listed.filter(({ plugin_key }) => !without?.has(plugin_key));
  const first = data?.pages[0];
  if (!isWaiting && listed.length > 0 && plugins.length === 0 && !hasNextPage) return lead;
  if (empty && first && listed.length === 0 && isUnfiltered(filter)) return empty;
  return (
    <>
      {lead}
      <section aria-labelledby="results">
        <div className={styles.head}>
          <h2 id="results" className={styles.title}>
            <ResultTitle filter={filter} />
          </h2>
          <ResultCount page={first} />
          <div className={styles.sort}>
            <SortChoice filter={filter} />
          </div>
        </div>
        <Corrected filter={filter} corrected={first?.corrected} />
        <FilterBar filter={filter} page={first} />
        {error && !data ? (
          error.reason === 'TAG_NOT_FOUND' ? (
            <PluginsMissing filter={filter} />
          ) : (
            <QueryError error={error} busy={isFetching} onRetry={refetch} />
          )
        ) : first && listed.length === 0 ? (
          <PluginsMissing filter={filter} />
        ) : (
          <>
            <PluginGrid
              plugins={plugins}
              firstRow={isUnfiltered(filter) ? 'later' : 'first'}
              loading={!data || isWaiting}
            />
            {isFetchNextPageError && error && (
              <div className={styles.failed}>
                <QueryError error={error} busy={isFetchingNextPage} onRetry={more} />
              </div>
            )}
            {hasNextPage && !isWaiting && !isFetchNextPageError && (
              <LoadMore busy={isFetchingNextPage} automatic onMore={more} />
            )}
            {data && !hasNextPage && <p className={styles.end}>{list('end')}</p>}
            <p className={visuallyHidden.hidden} role="status">
              {data && data.pages.length > 1 && list('shown', { count: plugins.length })}
            </p>
          </>
        )}
      </section>
    </>
  );
}

/** The heading: the keyword's matches, a tag's plugins, or all. */
function ResultTitle({ filter: { keyword, tag_id } }: { filter: PluginFilter }) {
  const t = useTranslations('home');
  const { data } = useQuery(tagsQuery());
  if (keyword !== '') return t('results_for', { keyword });
  return data?.tag_list.find(({ id }) => id === tag_id)?.name ?? t('all_plugins');
}

/** What was searched for in place of a keyword that finds nothing, and the way to the keyword itself. */
function Corrected({ filter, corrected }: { filter: PluginFilter; corrected: string | undefined }) {
  const t = useTranslations('home');
  if (corrected === undefined) return null;
  const { keyword } = filter;
  return (
    <p className={styles.corrected}>
      {corrected === ''
        ? t('similar', { keyword })
        : t.rich('corrected', { keyword: corrected, strong: (chunks) => <strong>{chunks}</strong> })}{' '}
      <FilterLink filter={filter} change={{ exact: 1 }} replace className={styles.instead}>
        {t('corrected_instead', { keyword })}
      </FilterLink>
    </p>
  );
}

/** The number of matches, announced when it changes. */
function ResultCount({ page }: { page: PluginPage | undefined }) {
  const t = useTranslations('home');
  return (
    <p className={styles.count} role="status" suppressHydrationWarning>
      {page ? (
        t(page.total_estimated ? 'count_at_least' : 'count', { count: page.total })
      ) : (
        <Skeleton className={styles.number} />
      )}
    </p>
  );
}

const SORTS = [
  { sort: SORT_RELEVANCE, text: 'sort_relevance' },
  { sort: SORT_LATEST, text: 'sort_latest' },
  { sort: SORT_POPULAR, text: 'sort_popular' },
] as const;

/** The order of a list: latest update or most popular; of a search, what fits best too. */
function SortChoice({ filter }: { filter: PluginFilter }) {
  const t = useTranslations('home');
  const isSearch = filter.keyword !== '';
  const { sort: chosen = isSearch ? SORT_RELEVANCE : SORT_LATEST } = filter;
  return (
    <Segmented label={t('sort')}>
      {SORTS.filter(({ sort }) => isSearch || sort !== SORT_RELEVANCE).map(({ sort, text }) => (
        <FilterLink
          key={sort}
          filter={filter}
          change={{ sort }}
          replace
          preventScrollReset
          className={segmentClass(sort === chosen)}
          aria-current={sort === chosen ? 'true' : undefined}
        >
          {t(text)}
        </FilterLink>
      ))}
    </Segmented>
  );
}

/** Shown where no plugin matches: the reason and a way to reset the filter. */
function PluginsMissing({ filter }: { filter: PluginFilter }) {
  const t = useTranslations('home');
  const { keyword, tag_id } = filter;
  if (hasChoices(filter)) return <NothingLeft filter={filter} />;
  const showAll = (
    <Link to={BASE_PATH} className={buttonClass({ variant: 'outline' })}>
      {keyword === '' ? t('show_all') : t('search_clear')}
    </Link>
  );
  if (keyword !== '')
    return (
      <>
        <Notice
          icon={<SearchIcon size={22} />}
          title={t('empty_search_title', { keyword })}
          text={t(tag_id === ALL_TAG_ID ? 'empty_search_text' : 'empty_search_tag_text')}
          action={showAll}
        />
        <Popular keyword={keyword} />
      </>
    );
  if (tag_id !== ALL_TAG_ID)
    return (
      <>
        <Notice
          icon={<LayersIcon size={22} />}
          title={t('empty_tag_title')}
          text={t('empty_tag_text')}
          action={showAll}
        />
        <Popular />
      </>
    );
  return <Notice icon={<LayersIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />;
}
