import { useEffect, useRef, useState } from 'react';
import { useDebouncedCallback } from 'use-debounce';

type Options = {
  /** The current search text: changed by this field and by navigation. */
  value: string;
  /** Called with the trimmed text once typing pauses, immediately when the field is cleared. */
  onSearch: (text: string) => void;
  /** Debounce in milliseconds. */
  delay: number;
  /** Where people are or are going: who has set out for another place since they typed is not held back by a search. */
  placeOf: () => string;
};

/**
 * The text of a search-as-you-type field. An external change of `value` replaces the text; the echo of this field's own
 * search doesn't, so that newer input stays.
 */
export function useSearchText({ value, onSearch, delay, placeOf }: Options) {
  const [text, setText] = useState(value);
  /** Searched texts whose values have not arrived, latest last. */
  const searched = useRef<string[]>([]);
  const typedAt = useRef<string>(undefined);
  const search = useDebouncedCallback((typed: string) => {
    const next = typed.trim();
    if (typedAt.current !== placeOf()) return;
    if (next === (searched.current.at(-1) ?? value)) return;
    searched.current.push(next);
    onSearch(next);
  }, delay);
  useEffect(() => {
    const index = searched.current.lastIndexOf(value);
    searched.current = index < 0 ? [] : searched.current.slice(index + 1);
    if (index >= 0) return;
    search.cancel();
    setText((shown) => (shown.trim() === value ? shown : value));
  }, [value, search]);
  const type = (typed: string): void => {
    setText(typed);
    typedAt.current = placeOf();
    search(typed);
    if (typed === '') search.flush();
  };
  /** Shows a text without searching for it, nor for what was typed before. */
  const reset = (shown: string): void => {
    search.cancel();
    setText(shown);
  };
  /** Shows a text that something else searches for; what is typed before its value arrives is newer. */
  const choose = (chosen: string): void => {
    reset(chosen);
    if (chosen !== (searched.current.at(-1) ?? value)) searched.current.push(chosen);
  };
  return { text, type, reset, choose, flush: search.flush };
}
