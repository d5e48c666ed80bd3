import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ALL_TAG_ID } from '../../../../shared/constants.ts';
import { tagsQuery } from '../../../features/plugins/plugin-queries.ts';
import { Select } from '../../../ui/select/select.tsx';
import styles from './filter-bar.module.css';
import { FilterText } from './filter-text.tsx';
import type { ListFilter } from './list-filter.ts';

type Props = {
  filter: ListFilter;
  onChange: (part: Partial<ListFilter>) => void;
  /** Stands behind the filters: an order to choose. */
  children?: ReactNode;
};

/** Narrows a list by words, publisher and tag. */
export function FilterBar({ filter, onChange, children }: Props) {
  const t = useTranslations('manage');
  const tags = useQuery(tagsQuery()).data?.tag_list ?? [];
  return (
    <search className={styles.bar} aria-label={t('filters')}>
      <FilterText
        label={t('filter_keyword')}
        clearLabel={t('filter_clear')}
        value={filter.keyword}
        onChange={(keyword) => onChange({ keyword })}
      />
      <FilterText
        label={t('filter_publisher')}
        clearLabel={t('filter_clear')}
        value={filter.publisher}
        onChange={(publisher) => onChange({ publisher })}
      />
      <Select
        className={styles.choice}
        label={t('filter_tag')}
        hideLabel
        value={String(filter.tagId)}
        onChange={(value) => onChange({ tagId: Number(value) })}
        options={[
          { value: String(ALL_TAG_ID), label: t('filter_tag_all') },
          ...tags.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      {children}
    </search>
  );
}
