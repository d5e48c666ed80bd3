import type { Static, TSchema } from 'typebox';
import { contract } from '../../../shared/contract.ts';
import { type Answer, dataOf as dataOfAnswer } from '../ask.ts';

/** The answer of a call, its body as it came. */
// The body is compared with what is expected of it, whatever it is.
export type HelpAnswer = Omit<Answer, 'json'> & { json: ReturnType<typeof JSON.parse> };

export function dataOf<S extends TSchema>(answer: HelpAnswer, schema: S): Static<S> {
  return dataOfAnswer(answer, schema);
}

/** Calls of the help center, of somebody with these headers. */
export function askHelp(url: string, headers: Record<string, string>) {
  const ask = async (
    method: string,
    path: string,
    body?: object,
    more: Record<string, string> = {},
  ): Promise<HelpAnswer> => {
    const response = await fetch(`${url}/api/helpcenter/${path}`, {
      method,
      headers: { ...headers, ...more, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, json: await response.json() };
  };
  const visit = (path: string, more: Record<string, string> = {}) => askHelp(url, more).ask('GET', path);
  return {
    ask,
    add: async (article: object) =>
      dataOf(await ask('POST', 'manager/article', article), contract.addHelpArticle.data),
    change: async (article: object) =>
      dataOf(await ask('PUT', 'manager/article', article), contract.changeHelpArticle.data),
    managed: async () =>
      dataOf(await ask('GET', 'manager/article/list'), contract.listManagedArticles.data).article_list,
    order: (ids: unknown) => ask('PUT', 'manager/article/order', { ids }),
    addCategory: async (category: object) =>
      dataOf(await ask('POST', 'manager/category', category), contract.addHelpCategory.data),
    orderCategories: (ids: unknown) => ask('PUT', 'manager/category/order', { ids }),
    removeCategory: (id: number) => ask('DELETE', 'manager/category', { id }),
    list: async (query = '') =>
      dataOf(await visit(`article/list${query}`), contract.listHelpArticles.data).article_list,
    categories: async (query = '') =>
      dataOf(await visit(`category/list${query}`), contract.listHelpCategories.data).category_list,
    read: (id: number, more?: Record<string, string>) => visit(`article/${id}`, more),
  };
}
