import type { Boot } from '../shared/boot.ts';
import { escapeMarkup } from '../shared/escape-markup.ts';
import { bootScript } from './boot-data.ts';
import { headTags } from './head-tags.ts';
import type { HeadCollector } from './layout/page-head.tsx';

/** Addresses of what a page loads, from the client build. */
export type PageAssets = {
  /** What every page stands on, and the entry after it: run by themselves, neither holds up the page for long. */
  scripts: readonly string[];
  /** Chunks to fetch at once: of the route and the language. */
  preloads: readonly string[];
  /** The CSS inside the document. */
  css: string;
  /** File with the whole of which `css` is a part; it is put in force when the page comes to life. */
  wholeCss: string | undefined;
  /** Files whose content `css` holds: no script need fetch them. */
  inlined: readonly string[];
  /** Files of CSS that the page waits for. */
  styles: readonly string[];
  icon: string;
};

type Parts = {
  boot: Boot;
  /** The address the page was asked by. */
  asked: URL;
  head: HeadCollector['head'];
  siteName: string;
  assets: PageAssets;
  /** Rendered markup of the page. */
  body: string;
};

/** The whole HTML document. Nothing in it is an executable inline script. */
export function htmlDocument({ boot, asked, head, siteName, assets, body }: Parts): string {
  return [
    '<!doctype html>',
    `<html lang="${boot.language}" data-theme="${boot.theme}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeMarkup(head.fullTitle)}</title>`,
    ...headTags(boot, head, { asked, siteName }),
    ...themeColours(boot.theme),
    `<link rel="icon" type="image/svg+xml" href="${assets.icon}">`,
    `<style>${assets.css}</style>`,
    ...(assets.wholeCss === undefined
      ? []
      : [`<link rel="stylesheet" href="${assets.wholeCss}" media="${NOT_YET}">`]),
    // Vite's loader of lazy chunks takes a link for a style that is there; a disabled one is never fetched.
    ...assets.inlined.map((file) => `<link rel="stylesheet" href="${file}" disabled>`),
    ...assets.styles.map((file) => `<link rel="stylesheet" href="${file}">`),
    // What is seen comes before what brings it to life.
    ...assets.preloads.map((file) => `<link rel="modulepreload" href="${file}" fetchpriority="low">`),
    ...assets.scripts.map((file) => `<script type="module" src="${file}" fetchpriority="low"></script>`),
    '</head>',
    '<body>',
    `<div id="root">${body}</div>`,
    bootScript(boot),
    '</body>',
    '</html>',
  ].join('\n');
}

/** A medium no screen is: a style for it is fetched behind everything else, and waited for by nothing. */
const NOT_YET = 'print';

/** The colour of the browser's own surroundings: the page background of web/ui/tokens.css. */
const BACKGROUNDS = { light: '#ffffff', dark: '#0f1211' } as const;

function themeColours(theme: Boot['theme']): string[] {
  if (theme !== 'system') return [`<meta name="theme-color" content="${BACKGROUNDS[theme]}">`];
  return Object.entries(BACKGROUNDS).map(
    ([scheme, colour]) =>
      `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${colour}">`,
  );
}
