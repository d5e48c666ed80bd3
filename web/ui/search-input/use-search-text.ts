import { useEffect, useRef, useState } from 'react';
import { useDebouncedCallback } from 'use-debounce';

type Options = {
  /** What is searched for at present: it changes by this field, and by navigation. */
  value: string;
  /** Called with the trimmed text once typing pauses, at once when the field is emptied. */
  onSearch: (text: string) => void;
  /** Milliseconds that make a pause. */
  delay: number;
};

/**
 * The text of a field that searches while somebody types. A value that changes from elsewhere replaces the text; one
 * that this field has asked for itself does not, so that what was typed in the meantime stays.
 */
export function useSearchText({ value, onSearch, delay }: Options) {
  const [text, setText] = useState(value);
  /** Texts searched for whose values have not arrived, the latest one last. */
  const asked = useRef<string[]>([]);
  const search = useDebouncedCallback((typed: string) => {
    const next = typed.trim();
    if (next === (asked.current.at(-1) ?? value)) return;
    asked.current.push(next);
    onSearch(next);
  }, delay);
  useEffect(() => {
    const place = asked.current.lastIndexOf(value);
    asked.current = place < 0 ? [] : asked.current.slice(place + 1);
    if (place >= 0) return;
    search.cancel();
    setText((shown) => (shown.trim() === value ? shown : value));
  }, [value, search]);
  const type = (typed: string): void => {
    setText(typed);
    search(typed);
    if (typed === '') search.flush();
  };
  return { text, type, flush: search.flush };
}
