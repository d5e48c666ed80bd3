import { createContext, useContext } from 'react';
import type { Boot } from '../../shared/boot.ts';

/** What the page knows of its site and its first moment, without the data of the route. */
export type Site = Omit<Boot, 'session'>;

const SiteContext = createContext<Site | undefined>(undefined);

export const SiteProvider = SiteContext.Provider;

/** The site this page belongs to: languages, deploy type, the time of the first render. */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error('SiteProvider is missing above this component.');
  return site;
}
