import type { WebSite, WithContext } from 'schema-dts';
import { BASE_PATH } from '../../../shared/constants.ts';

/**
 * The site for search engines: its name in results, in the terms of schema.org.
 * @param absolute makes an address of a path of this site
 */
export function homeData(name: string, absolute: (path: string) => string): WithContext<WebSite> {
  return { '@context': 'https://schema.org', '@type': 'WebSite', name, url: absolute(BASE_PATH) };
}
