import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { BASE_PATH, TEXT_LIMITS } from '../../../shared/constants.ts';
import { useNavigate } from '../../routing/router-context.ts';
import { SearchInput } from '../../ui/search-input/search-input.tsx';
import { type PluginFilter, queryOf } from './plugin-filter.ts';

/** Milliseconds of rest after which what was typed is searched for. */
const REST = 300;

/** Searches while typing, at once on Enter. The keyword lives in the address; without scripts it is a form. */
export function PluginSearch({ filter }: { filter: PluginFilter }) {
  const t = useTranslations('home');
  const navigate = useNavigate();
  const [typed, setTyped] = useState(filter.keyword);
  const [searched, setSearched] = useState(filter.keyword);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (searched !== filter.keyword) {
    setSearched(filter.keyword);
    if (typed.trim() !== filter.keyword) setTyped(filter.keyword);
  }
  const search = (text: string): void => {
    clearTimeout(timer.current);
    const keyword = text.trim();
    if (keyword === filter.keyword) return;
    navigate(`${BASE_PATH}${queryOf({ ...filter, keyword })}`, {
      replace: true,
      preventScrollReset: true,
    });
  };
  const type = (text: string): void => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(search, text === '' ? 0 : REST, text);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    search(typed);
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
          value={typed}
          onValueChange={type}
        />
      </form>
    </search>
  );
}
