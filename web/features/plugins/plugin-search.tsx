import type { FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { BASE_PATH, SEARCH_DELAY, TEXT_LIMITS } from '../../../shared/constants.ts';
import { SearchInput } from '../../ui/search-input/search-input.tsx';
import { useSearchText } from '../../ui/search-input/use-search-text.ts';
import { useChangeFilter } from './filter-link.tsx';
import type { PluginFilter } from './plugin-filter.ts';

/** Searches while typing, immediately on Enter. The keyword is in the URL; without JavaScript it is a form. */
export function PluginSearch({ filter }: { filter: PluginFilter }) {
  const t = useTranslations('home');
  const changeFilter = useChangeFilter();
  const { text, type, flush } = useSearchText({
    value: filter.keyword,
    onSearch: (keyword) => changeFilter({ keyword }, { replace: true, preventScrollReset: true }),
    delay: SEARCH_DELAY,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    flush();
  };
  return (
    <search>
      <form action={BASE_PATH} onSubmit={submit}>
        <SearchInput
          name="keyword"
          size="large"
          label={t('search')}
          placeholder={t('search_placeholder')}
          clearLabel={t('search_clear')}
          maxLength={TEXT_LIMITS.keyword}
          value={text}
          onValueChange={type}
        />
      </form>
    </search>
  );
}
