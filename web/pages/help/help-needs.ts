import type { PrefetchQuery } from '../../../shared/boot.ts';
import { TEXT_LIMITS } from '../../../shared/constants.ts';
import type { PageTarget } from '../../api/page-target.ts';

/** Number of an article in a path; anything else names none. */
export function articleIdOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** What an address of the help center searches for; '' when nothing. */
export function helpKeywordOf(query: URLSearchParams): string {
  return [...(query.get('q') ?? '').trim()].slice(0, TEXT_LIMITS.keyword).join('');
}

/** The query of an address that searches for it. */
export function helpQueryOf(keyword: string): string {
  return keyword === '' ? '' : `?${new URLSearchParams({ q: keyword })}`;
}

/** What was searched for, or what there is to read. */
export function helpNeeds({ url }: PageTarget): PrefetchQuery[] {
  const keyword = helpKeywordOf(url.searchParams);
  return keyword === '' ? listNeeds() : [{ operation: 'searchHelpArticles', payload: { keyword } }];
}

function listNeeds(): PrefetchQuery[] {
  return [
    { operation: 'listHelpCategories', payload: {} },
    { operation: 'listHelpArticles', payload: {} },
  ];
}

/** An article, and what else there is. */
export function articleNeeds({ params }: PageTarget): PrefetchQuery[] {
  const id = articleIdOf(params.id);
  return id === undefined ? [] : [{ operation: 'readHelpArticle', payload: { id } }, ...listNeeds()];
}
