import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { GridIcon } from '../../../ui/icon/backstage-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { Select } from '../../../ui/select/select.tsx';
import { PagedList } from '../../paged-list.tsx';
import { FilterBar } from '../filters/filter-bar.tsx';
import { useListFilter } from '../filters/use-list-filter.ts';
import { MarkPlugin } from '../marks/mark-dialogs.tsx';
import { ConfirmSilent } from './confirm-silent.tsx';
import { DeletePlugin } from './delete-plugin.tsx';
import styles from './manage.module.css';
import { managedQuery, SORTS } from './managed-query.ts';
import type { Asked } from './managed-row.tsx';
import { ManagedTable } from './managed-table.tsx';

/** Plugins of a filter in an order, with what can be done with each. */
export function ManagedPlugins() {
  const t = useTranslations('manage');
  const { filter, change, query: parameters, setParameters } = useListFilter('all');
  const sort = SORTS.find((name) => name === parameters.get('sort')) ?? 'latest';
  const [asked, setAsked] = useState<Asked>();
  const query = useInfiniteQuery({
    ...managedQuery(filter, sort),
    placeholderData: (previous) => previous,
  });
  const plugins = query.data?.pages.flatMap((page) => page.plugin_list) ?? [];
  const first = query.data?.pages[0];
  const close = (): void => setAsked(undefined);
  return (
    <>
      <FilterBar filter={filter} onChange={change}>
        <Select
          className={styles.sort}
          label={t('sort')}
          hideLabel
          value={sort}
          onChange={(value) => setParameters({ sort: value })}
          options={SORTS.map((value) => ({ value, label: t(`sort_${value}`) }))}
        />
      </FilterBar>
      <PagedList
        query={query}
        isEmpty={plugins.length === 0}
        empty={<Notice icon={<GridIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <p className={styles.total}>
          {first && t(first.total_estimated ? 'total_at_least' : 'total', { count: first.total })}
        </p>
        <ManagedTable plugins={plugins} busy={query.isPlaceholderData} onAsk={setAsked} />
      </PagedList>
      {asked?.what === 'silent' && <ConfirmSilent managed={asked.managed} onClose={close} />}
      {asked?.what === 'mark' && <MarkPlugin managed={asked.managed} onClose={close} />}
      {asked?.what === 'delete' && <DeletePlugin managed={asked.managed} onClose={close} />}
    </>
  );
}
