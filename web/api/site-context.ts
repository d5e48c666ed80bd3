import { createContext, useContext } from 'react';
import type { Boot } from '../../shared/boot.ts';

/** Facts about the site and the first render, without the route's data. */
export type Site = Omit<Boot, 'session'>;

const SiteContext = createContext<Site | undefined>(undefined);

export const SiteProvider = SiteContext.Provider;

/** The site of this page: languages, deploy type, time of the first render. */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error('SiteProvider is missing above this component.');
  return site;
}
