import type { Need } from '../../../shared/boot.ts';
import type { PageTarget } from '../../api/page-target.ts';

/** Number of an article in a path; anything else names none. */
export function articleIdOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** What there is to read. */
export function helpNeeds(): Need[] {
  return [
    { operation: 'listHelpCategories', payload: {} },
    { operation: 'listHelpArticles', payload: {} },
  ];
}

/** An article, and what else there is. */
export function articleNeeds({ params }: PageTarget): Need[] {
  const id = articleIdOf(params.id);
  return id === undefined ? [] : [{ operation: 'readHelpArticle', payload: { id } }, ...helpNeeds()];
}
