import { pathOf, queryOf } from '../proxy/path.ts';

/**
 * An authorization code in a page's address that belongs to no sign-in of ours (design section 4): the code and the
 * address without it. `oauth2=1` says that the parameter is none (specification section 4).
 */
export function unsolicitedCode(target: string): { code: string; stripped: string } | undefined {
  const query = queryOf(target);
  if (!query.includes('c') && !query.includes('%')) return undefined;
  const parameters = new URLSearchParams(query);
  const code = parameters.get('code');
  if (code === null || parameters.get('oauth2') === '1') return undefined;
  const rest = query
    .slice(1)
    .split('&')
    .filter((pair) => !new URLSearchParams(pair).has('code'))
    .join('&');
  return { code, stripped: pathOf(target) + (rest === '' ? '' : `?${rest}`) };
}
