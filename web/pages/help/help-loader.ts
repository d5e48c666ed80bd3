import type { QueryClient } from '@tanstack/react-query';
import { TEXT_LIMITS } from '../../../shared/constants.ts';
import { isApiError } from '../../api/api-error.ts';
import type { PageLoader } from '../../api/page-loader.ts';
import { queryOptionsOf } from '../../api/queries.ts';

/** Parses the article number of a path; undefined if invalid. */
export function articleIdOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** The search keyword of a help center URL; '' without one. */
export function helpKeywordOf(query: URLSearchParams): string {
  return [...(query.get('q') ?? '').trim()].slice(0, TEXT_LIMITS.keyword).join('');
}

/** The query of a search URL. */
export function helpQueryOf(keyword: string): string {
  return keyword === '' ? '' : `?${new URLSearchParams({ q: keyword })}`;
}

/** Search results, or all articles. */
export const helpLoader: PageLoader = (client, { url }) => {
  const keyword = helpKeywordOf(url.searchParams);
  if (keyword === '') return loadLists(client);
  const search = client.ensureQueryData(queryOptionsOf('searchHelpArticles', { keyword }));
  // Without a search call, titles are searched in the client.
  const titles = () => client.ensureQueryData(queryOptionsOf('listHelpArticles', {}));
  return [
    search.catch((error: unknown) => (isApiError(error) && error.status === 404 ? titles() : undefined)),
  ];
};

/** An article and the list of all others. */
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
