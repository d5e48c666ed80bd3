import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH, SEARCH_DELAY, TEXT_LIMITS } from '../../../../shared/constants.ts';
import { useLatestPath } from '../../../api/latest-location.ts';
import { lazyWithRetry, useLazyPart } from '../../../loading/lazy-with-retry.ts';
import { SearchInput } from '../../../ui/search-input/search-input.tsx';
import { useSearchText } from '../../../ui/search-input/use-search-text.ts';
import { useChangeFilter } from '../filter-link.tsx';
import type { PluginFilter } from '../plugin-filter.ts';
import { addRecentSearch } from './recent-searches.ts';
import styles from './search-field.module.css';
import { takesSearchFocus } from './search-focus.ts';

/** What is shown below the field; `active` is the id of the chosen suggestion. */
export type Popup = { isOpen: boolean; active?: string | undefined };

const suggestions = lazyWithRetry(async () => (await import('./suggestions.tsx')).Suggestions);

/**
 * Searches while typing, immediately on Enter. The keyword is in the URL; without JavaScript it is a form. Suggestions are
 * loaded when the field is used, and it stays a plain field where that fails.
 */
export function SearchField({ filter }: { filter: PluginFilter }) {
  const t = useTranslations('home');
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [popup, setPopup] = useState<Popup>({ isOpen: false });
  const [isUsed, setUsed] = useState(false);
  const [typed, setTyped] = useState(0);
  const Suggestions = useLazyPart(suggestions);
  const changeFilter = useChangeFilter();
  const { text, type, reset, choose, flush } = useSearchText({
    value: filter.keyword,
    onSearch: (keyword) => changeFilter({ keyword }, { replace: true, preventScrollReset: true }),
    delay: SEARCH_DELAY,
    placeOf: useLatestPath(),
  });
  const { state } = useLocation();
  const takesFocus = takesSearchFocus(state);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    addRecentSearch(text);
    flush();
  };
  const use = (): void => {
    suggestions.preload();
    setUsed(true);
  };
  return (
    <search className={styles.search}>
      <form action={BASE_PATH} onSubmit={submit}>
        <SearchInput
          inputRef={input}
          name="keyword"
          size="large"
          label={t('search')}
          placeholder={t('search_placeholder')}
          clearLabel={t('search_clear')}
          maxLength={TEXT_LIMITS.keyword}
          value={text}
          onValueChange={(value) => {
            type(value);
            setTyped((count) => count + 1);
          }}
          onFocus={use}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={popup.isOpen}
          aria-controls={popup.isOpen ? listId : undefined}
          aria-activedescendant={popup.active}
        />
      </form>
      {isUsed && Suggestions && (
        <Suggestions
          input={input}
          listId={listId}
          text={text}
          typed={typed}
          popup={popup}
          onPopup={setPopup}
          onReset={reset}
          onChoose={choose}
        />
      )}
    </search>
  );
}
