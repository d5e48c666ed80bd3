import type { QueryClient } from '@tanstack/react-query';
import { TEXT_LIMITS } from '../../../shared/constants.ts';
import { isApiError } from '../../api/api-error.ts';
import type { PageLoader } from '../../api/page-loader.ts';
import { queryOptionsOf } from '../../api/queries.ts';

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
export const helpLoader: PageLoader = (client, { url }) => {
  const keyword = helpKeywordOf(url.searchParams);
  if (keyword === '') return loadLists(client);
  const search = client.ensureQueryData(queryOptionsOf('searchHelpArticles', { keyword }));
  // Where the service cannot search, titles are looked through.
  const titles = () => client.ensureQueryData(queryOptionsOf('listHelpArticles', {}));
  return [
    search.catch((error: unknown) => (isApiError(error) && error.status === 404 ? titles() : undefined)),
  ];
};

/** An article, and what else there is. */
export const articleLoader: PageLoader = (client, { params }) => {
  const id = articleIdOf(params.id);
  return id === undefined
    ? []
    : [client.ensureQueryData(queryOptionsOf('readHelpArticle', { id })), ...loadLists(client)];
};

function loadLists(client: QueryClient): Promise<unknown>[] {
  return [
    client.ensureQueryData(queryOptionsOf('listHelpCategories', {})),
    client.ensureQueryData(queryOptionsOf('listHelpArticles', {})),
  ];
}
