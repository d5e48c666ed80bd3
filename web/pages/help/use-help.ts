import { useQuery } from '@tanstack/react-query';
import { TEXT_LIMITS } from '../../../shared/constants.ts';
import type { HelpCategory, HelpEntry, HelpHit } from '../../../shared/entities/help.ts';
import type { ApiError } from '../../api/api-error.ts';
import { queryOptionsOf } from '../../api/queries.ts';

/** Articles of a category; null: those without one. */
export type HelpSection = { category: HelpCategory | null; articles: HelpEntry[] };

type Help = {
  /** Undefined until loaded. */
  sections: HelpSection[] | undefined;
  error: ApiError | null;
  busy: boolean;
  retry: () => void;
};

/** Articles by category. A service without these calls has no articles; without categories they form one list. */
export function useHelp(): Help {
  const articles = useQuery(queryOptionsOf('listHelpArticles', {}));
  const categories = useQuery(queryOptionsOf('listHelpCategories', {}));
  const { data, error, isFetching, refetch } = articles;
  const isWithout = error?.status === 404;
  const isKnown = isWithout || (data !== undefined && !categories.isPending);
  return {
    sections: isKnown ? sectionsOf(data?.article_list, categories.data?.category_list) : undefined,
    error: isWithout ? null : error,
    busy: isFetching,
    retry: () => void refetch(),
  };
}

type SearchResult = Pick<Help, 'error' | 'busy' | 'retry'> & {
  /** Undefined until loaded. */
  hits: readonly (HelpEntry & Partial<HelpHit>)[] | undefined;
};

/** Articles that match a keyword. Without a search call, those with a matching title. */
export function useHelpSearch(keyword: string): SearchResult {
  const search = useQuery(queryOptionsOf('searchHelpArticles', { keyword }));
  const isWithout = search.error?.status === 404;
  const articles = useQuery({ ...queryOptionsOf('listHelpArticles', {}), enabled: isWithout });
  const { data, error, isFetching, refetch } = isWithout ? articles : search;
  const entries = data && listOf(data.article_list, isEntry);
  const words = keyword.toLowerCase().split(/\s+/).slice(0, TEXT_LIMITS.keyword);
  const hasAll = ({ title }: HelpEntry) => words.every((word) => title.toLowerCase().includes(word));
  const isEmpty = isWithout && articles.error?.status === 404;
  return {
    hits: isEmpty ? [] : isWithout ? entries?.filter(hasAll) : entries,
    error: isEmpty ? null : error,
    busy: isFetching,
    retry: () => void refetch(),
  };
}

function sectionsOf(articles: unknown, categories: unknown): HelpSection[] {
  const entries = listOf(articles, isEntry);
  const known = listOf(categories, isCategory);
  const isKnown = (id: number | null): boolean => known.some((category) => category.id === id);
  const sections: HelpSection[] = [
    ...known.map((category) => ({
      category,
      articles: entries.filter(({ category_id }) => category_id === category.id),
    })),
    { category: null, articles: entries.filter(({ category_id }) => !isKnown(category_id)) },
  ];
  return sections.filter((section) => section.articles.length > 0);
}

/** The displayable part of a service's response. */
function listOf<T>(answer: unknown, isOne: (value: unknown) => value is T): T[] {
  return Array.isArray(answer) ? answer.filter(isOne) : [];
}

function isEntry(value: unknown): value is HelpEntry {
  return isNamed(value) && 'title' in value && typeof value.title === 'string';
}

function isCategory(value: unknown): value is HelpCategory {
  return isNamed(value) && 'name' in value && typeof value.name === 'string';
}

function isNamed(value: unknown): value is { id: number } {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number';
}
