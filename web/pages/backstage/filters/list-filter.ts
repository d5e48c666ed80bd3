import {
  ALL_TAG_ID,
  AUDIT_ALL,
  AUDIT_PASSED,
  AUDIT_REFUSED,
  AUDIT_WAITING,
} from '../../../../shared/constants.ts';
import { useLatestSearchParams } from '../../../api/latest-location.ts';

/** Audit statuses for filtering (R 7.1), in display order. */
const STATUS_CODES = {
  all: AUDIT_ALL,
  unaudited: AUDIT_WAITING,
  passed: AUDIT_PASSED,
  refused: AUDIT_REFUSED,
} as const;
export type StatusName = keyof typeof STATUS_CODES;

export const STATUS_NAMES: readonly StatusName[] = ['all', 'unaudited', 'passed', 'refused'];

/** The filter of a plugin or submission list, stored in the URL, so that it can be returned to. */
export type ListFilter = { status: StatusName; tagId: number; publisher: string; keyword: string };

/** Parses the filter of a URL; absent or invalid values filter nothing. */
export function filterOf(query: URLSearchParams, fallback: StatusName): ListFilter {
  const tagId = Number(query.get('tag_id') ?? ALL_TAG_ID);
  return {
    status: STATUS_NAMES.find((name) => name === query.get('status')) ?? fallback,
    tagId: Number.isSafeInteger(tagId) && tagId > 0 ? tagId : ALL_TAG_ID,
    publisher: query.get('publisher') ?? '',
    keyword: query.get('keyword') ?? '',
  };
}

/** URL parameters for a part of a filter; empty ones are removed. */
export function parametersOf({ status, tagId, publisher, keyword }: Partial<ListFilter>) {
  return {
    ...(status !== undefined && { status }),
    ...(tagId !== undefined && { tag_id: tagId === ALL_TAG_ID ? '' : String(tagId) }),
    ...(publisher !== undefined && { publisher }),
    ...(keyword !== undefined && { keyword }),
  };
}

/** Payload of the list call. */
export function payloadOf({ status, tagId, publisher, keyword }: ListFilter) {
  return {
    audit_status: STATUS_CODES[status],
    ...(tagId !== ALL_TAG_ID && { tag_id: tagId }),
    ...(publisher !== '' && { publisher }),
    ...(keyword !== '' && { keyword }),
  };
}

/** Whether the list is filtered by more than the status. */
export function isNarrowed({ tagId, publisher, keyword }: ListFilter): boolean {
  return tagId !== ALL_TAG_ID || publisher !== '' || keyword !== '';
}

/** The filter in the URL and a function that changes a part of it; other parameters stay. */
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
