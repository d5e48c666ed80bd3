import { FORCE_PARAMETER } from '../../../shared/constants.ts';
import { pathOf, queryOf } from '../proxy/path.ts';

/**
 * What a page's address says of signing in (specification section 4), and the address without that. `code`: an
 * authorization code that belongs to no sign-in of ours (design section 4); `oauth2=1` says that the parameter is none.
 * `force`: whoever is signed in, and the code, are to be passed over.
 */
export type AddressedSignIn = { code: string | undefined; force: boolean; stripped: string };

/** Undefined for an address that says nothing of the sort. */
export function addressedSignIn(target: string): AddressedSignIn | undefined {
  const query = queryOf(target);
  if (!/[cf%]/.test(query)) return undefined;
  const parameters = new URLSearchParams(query);
  const force = parameters.get(FORCE_PARAMETER) === '1';
  const code = parameters.get('oauth2') === '1' ? undefined : (parameters.get('code') ?? undefined);
  if (code === undefined && !force) return undefined;
  const names = [...(code === undefined ? [] : ['code']), ...(force ? [FORCE_PARAMETER] : [])];
  const rest = query
    .slice(1)
    .split('&')
    .filter((pair) => !names.some((name) => new URLSearchParams(pair).has(name)))
    .join('&');
  return { code, force, stripped: pathOf(target) + (rest === '' ? '' : `?${rest}`) };
}
