import { keepPreviousData, useQuery } from '@tanstack/react-query';
import RefreshCwIcon from 'lucide-react/icons/refresh-cw';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button/button.tsx';
import { recommendedQuery } from './plugin-queries.ts';
import { PluginRow } from './plugin-row.tsx';
import { QueryError } from './query-error.tsx';

const SKELETONS = 8;

type RecommendedProps = {
  /** Page of the recommended plugins; `onPage` requests another. */
  page: number;
  onPage: (page: number) => void;
  /** Keys of plugins that are already shown on the page. */
  without: ReadonlySet<string>;
};

/** The recommended plugins in full rows, with a button that shows others. */
export function Recommended({ page, onPage, without }: RecommendedProps) {
  const t = useTranslations('home');
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    ...recommendedQuery(page),
    placeholderData: keepPreviousData,
  });
  const plugins = data?.plugin_list.filter(({ plugin_key }) => !without.has(plugin_key));
  if (plugins?.length === 0) return null;
  return (
    <PluginRow
      id="recommended"
      title={t('recommended')}
      plugins={plugins}
      skeletons={SKELETONS}
      load={without.size > 0 ? 'later' : 'soon'}
      fullRows
      action={
        data &&
        data.page_count > 1 && (
          <Button
            variant="quiet"
            size="s"
            busy={isPlaceholderData}
            onClick={() => onPage((page + 1) % data.page_count)}
          >
            {!isPlaceholderData && <RefreshCwIcon size={15} />}
            {t('recommended_refresh')}
          </Button>
        )
      }
      problem={error && !data && <QueryError error={error} busy={isFetching} onRetry={refetch} />}
    />
  );
}
