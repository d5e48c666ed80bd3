import cyrillic from '@fontsource-variable/onest/files/onest-cyrillic-wght-normal.woff2?url';
import latin from '@fontsource-variable/onest/files/onest-latin-wght-normal.woff2?url';
import type { Theme } from '../shared/boot.ts';
import { BASE_PATH } from '../shared/constants.ts';
import { escapeMarkup } from '../shared/escape-markup.ts';
import type { Language } from '../shared/languages.ts';
import { type BootData, bootScript, START_ID } from './boot-data.ts';
import { headTags } from './head-tags.ts';
import type { HeadCollector } from './layout/page-head.tsx';
import type { PageAssets } from './page-assets.ts';

type DocumentOptions = {
  boot: BootData;
  requested: URL;
  head: HeadCollector['head'];
  siteName: string;
  assets: PageAssets;
  body: string;
  /** What a page says that doesn't start. */
  startTexts: { text: string; reload: string };
};

/** The whole HTML document, without executable inline scripts. */
export function htmlDocument({
  boot,
  requested,
  head,
  siteName,
  assets,
  body,
  startTexts,
}: DocumentOptions): string {
  const { site } = boot;
  return [
    '<!doctype html>',
    `<html lang="${site.language}" data-theme="${site.theme}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeMarkup(head.fullTitle)}</title>`,
    ...headTags(site, head, { requested, siteName }),
    ...themeColours(site.theme),
    site.brand?.logo === undefined
      ? `<link rel="icon" type="image/svg+xml" href="${BASE_PATH}icon.svg"><link rel="apple-touch-icon" href="${BASE_PATH}apple-touch-icon.png">`
      : `<link rel="icon" href="${site.brand.logo}">`,
    ...typefaces(site.language).map(
      (file) => `<link rel="preload" as="font" type="font/woff2" href="${file}" crossorigin>`,
    ),
    ...(assets.css === '' ? [] : [`<style>${assets.css}</style>`]),
    ...(site.brand?.style === undefined ? [] : [`<link rel="stylesheet" href="${site.brand.style}">`]),
    // Vite's preloader treats an existing link as loaded and never fetches a disabled one.
    ...assets.inlined.map((file) => `<link rel="stylesheet" href="${file}" disabled>`),
    // Visible resources load before scripts.
    ...assets.preloads.map((file) => `<link rel="modulepreload" href="${file}" fetchpriority="low">`),
    ...assets.scripts.map((file) => `<script type="module" src="${file}" fetchpriority="low"></script>`),
    '</head>',
    '<body>',
    `<div id="root">${body}</div>`,
    // Its style shows it after a while, as a script that fails to load can't.
    `<p id="${START_ID}" role="status" hidden><span>${escapeMarkup(startTexts.text)}</span> <a href="">${escapeMarkup(startTexts.reload)}</a></p>`,
    bootScript(boot),
    '</body>',
    '</html>',
  ].join('\n');
}

/** Files of web/ui/fonts.css that the first view needs, so that few visitors see a fallback font. */
const typefaces = (language: Language): string[] => (language === 'ru-RU' ? [cyrillic, latin] : [latin]);

/** The colour of the browser's own UI: the page background of web/ui/tokens.css. */
const BACKGROUNDS = { light: '#fbfaf7', dark: '#131211' } as const;

function themeColours(theme: Theme): string[] {
  if (theme !== 'system') return [`<meta name="theme-color" content="${BACKGROUNDS[theme]}">`];
  return Object.entries(BACKGROUNDS).map(
    ([scheme, colour]) =>
      `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${colour}">`,
  );
}
