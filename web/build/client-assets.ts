import type { Language } from '../../shared/languages.ts';

/** What the client build has made, as the pages that the server renders refer to it. Addresses are paths. */
export type ClientAssets = {
  script: string;
  icon: string;
  /** The CSS of every first view, and its Content-Security-Policy source. */
  css: string;
  cssHash: string;
  entryPreloads: string[];
  /** Chunks of a page by its source file. */
  pages: Readonly<Record<string, string[]>>;
  languages: Readonly<Record<Language, string[]>>;
};
