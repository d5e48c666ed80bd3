import type { Language } from '../../shared/languages.ts';
import type { TextGroup } from '../text-groups.ts';

type FilesOfLanguages = Readonly<Record<Language, string[]>>;

/** What a page loads beside what all pages do. */
export type PageFiles = {
  scripts: string[];
  /** The CSS inside its document. */
  css: string;
  /** Instead of `css`, for a document that shows none of `laterClasses`: less CSS, and the file that holds the whole. */
  lean?: { css: string; whole: string };
  /** Files whose content `css` holds. */
  inlined: string[];
  /** Files of CSS it waits for. */
  styles: string[];
};

/** What the client build has made, as the pages that the server renders refer to it. Addresses are paths. */
export type ClientAssets = {
  script: string;
  icon: string;
  /** The CSS that every page stands on. */
  css: string;
  /** Classes of what first views seldom show. */
  laterClasses: string[];
  /** Content-Security-Policy sources of all the CSS that documents hold. */
  cssHashes: string[];
  entryPreloads: string[];
  /** What the menu of who is signed in needs. */
  account: string[];
  /** Files of a page by its source file. */
  pages: Readonly<Record<string, PageFiles>>;
  languages: FilesOfLanguages;
  texts: Readonly<Record<TextGroup, FilesOfLanguages>>;
};
