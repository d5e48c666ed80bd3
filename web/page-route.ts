import type { ComponentType } from 'react';
import type { PrefetchQuery } from '../shared/boot.ts';
import type { PageTarget } from './api/page-target.ts';

/** One page of the site, as data. */
export type PageRoute = {
  path: string;
  /** `site`: between header and footer; `bare`: the page brings its own surroundings. */
  frame: 'site' | 'bare';
  /** File of the page, by which the build finds its chunk. */
  source: string;
  load: () => Promise<ComponentType>;
  /** Calls whose answers the first view shows. */
  needs?: (target: PageTarget) => PrefetchQuery[];
};
