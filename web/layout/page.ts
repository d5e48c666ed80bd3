import type { ComponentType } from 'react';
import type { PageLoader } from '../api/page-loader.ts';

/** A part of a page with its own URL and chunk; its path follows the page's. */
export type Screen = {
  path: string;
  load: () => Promise<ComponentType>;
  children?: readonly Screen[];
};

/**
 * A page, as `pages/<folder>/route.ts` describes it; for publishers, administrators and accounts `member-route.ts`, which
 * browsers load with the first of these pages. Its component is in the folder's only file `*-page.tsx`, whose chunk, styles
 * and texts its documents announce. Paths are absolute: the router has no base name.
 */
export type Page = Screen & {
  /** Loads the first view's data. */
  loader?: PageLoader;
  /** Without header and footer of the site. */
  isBare?: true;
  /** The screen that the page's own path leads to. */
  start?: string;
};
