import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ALL_TAG_ID, SEARCH_DELAY, TEXT_LIMITS } from '../../../../shared/constants.ts';
import { useLatestPath } from '../../../api/latest-location.ts';
import { tagsQuery } from '../../../features/plugins/plugin-queries.ts';
import { SearchInput } from '../../../ui/search-input/search-input.tsx';
import { useSearchText } from '../../../ui/search-input/use-search-text.ts';
import { Select } from '../../../ui/select/select.tsx';
import styles from './filter-bar.module.css';
import type { ListFilter } from './list-filter.ts';

type Props = {
  filter: ListFilter;
  onChange: (part: Partial<ListFilter>) => void;
  /** After the filters: a choice of order. */
  children?: ReactNode;
};

/** Filters a list by keyword, publisher and tag. */
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

type FilterTextProps = {
  label: string;
  clearLabel: string;
  value: string;
  onChange: (value: string) => void;
};

/** A text filter that applies once typing pauses. */
function FilterText({ label, clearLabel, value, onChange }: FilterTextProps) {
  const placeOf = useLatestPath();
  const { text, type } = useSearchText({ value, onSearch: onChange, delay: SEARCH_DELAY, placeOf });
  return (
    <SearchInput
      className={styles.text}
      label={label}
      placeholder={label}
      clearLabel={clearLabel}
      maxLength={TEXT_LIMITS.keyword}
      value={text}
      onValueChange={type}
    />
  );
}
