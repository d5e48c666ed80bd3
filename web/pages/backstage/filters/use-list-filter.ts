import { useLatestSearchParams } from '../../../api/latest-location.ts';
import { filterOf, type ListFilter, parametersOf, type StatusName } from './list-filter.ts';

/** The filter in the address, and how a part of it is changed; other parameters stay as they are. */
export function useListFilter(fallback: StatusName) {
  const [query, setQuery] = useLatestSearchParams();
  const setParameters = (parameters: Readonly<Record<string, string>>): void =>
    setQuery(
      (next) => {
        for (const [name, value] of Object.entries(parameters)) {
          if (value === '') next.delete(name);
          else next.set(name, value);
        }
      },
      { replace: true, preventScrollReset: true },
    );
  const change = (part: Partial<ListFilter>): void => setParameters(parametersOf(part));
  return { filter: filterOf(query, fallback), change, query, setParameters };
}
