import { fastifyCookie } from '@fastify/cookie';
import type { Cookies } from '../../http/cookies.ts';

/** The Cookie header with some cookies of a request; without any of them nothing. */
export function chosenCookies(cookies: Cookies, names: readonly string[]): { cookie?: string } {
  const pairs = names.flatMap((name) => {
    const value = cookies[name];
    return value === undefined ? [] : [fastifyCookie.serialize(name, value)];
  });
  return pairs.length > 0 ? { cookie: pairs.join('; ') } : {};
}
