import type { Boot } from '../shared/boot.ts';
import { escapeMarkup, jsonForMarkup } from '../shared/escape-markup.ts';
import {
  addressIn,
  alternatesOf,
  LANGUAGE_PARAMETER,
  type Language,
  languageOfCookie,
} from '../shared/languages.ts';
import type { HeadCollector, HeadPicture } from './layout/page-head.tsx';

type Head = HeadCollector['head'];
type Site = Pick<Boot, 'language' | 'languages' | 'public_url'>;

/** Language code in Open Graph notation. */
const ogLocale = (language: Language): string => language.replace('-', '_');

/**
 * Tags for search engines and share cards: canonical URL, the page in other languages (`hreflang`), Open Graph and structured
 * data. A page without a canonical URL, or a failed one, must not be indexed.
 * @param asked requested path and query: where `?lang=` chose the language, that is the page's URL
 */
export function headTags(
  site: Site,
  head: Head,
  { requested, siteName }: { requested: URL; siteName: string },
): string[] {
  const { canonical, status = 200 } = head;
  const feeds = status === 200 && head.feed !== undefined ? [feedLink(site, head.feed)] : [];
  if (canonical === undefined || status !== 200) return ['<meta name="robots" content="noindex">', ...feeds];
  const address = isRequested(requested, site.language)
    ? addressIn(canonical, site.language, site.public_url)
    : new URL(canonical, site.public_url).href;
  return [
    ...(head.description ? [`<meta name="description" content="${escapeMarkup(head.description)}">`] : []),
    `<link rel="canonical" href="${escapeMarkup(address)}">`,
    ...alternatesOf(canonical, site.languages, site.public_url).map(
      ({ hreflang, href }) => `<link rel="alternate" hreflang="${hreflang}" href="${escapeMarkup(href)}">`,
    ),
    ...feeds,
    ...openGraph(site, head, { address, siteName }),
    ...structuredData(site, head),
  ];
}

/** The visitor's own choice overrides the URL, which then isn't the URL of what they see. */
function isRequested(requested: URL, shown: Language): boolean {
  return languageOfCookie(requested.searchParams.get(LANGUAGE_PARAMETER) ?? undefined) === shown;
}

function openGraph(
  site: Site,
  head: Head,
  { address, siteName }: { address: string; siteName: string },
): string[] {
  const others = site.languages.filter((language) => language !== site.language);
  return [
    property('og:type', 'website'),
    property('og:site_name', siteName),
    property('og:title', head.title ?? head.fullTitle),
    property('og:url', address),
    property('og:locale', ogLocale(site.language)),
    ...others.map((language) => property('og:locale:alternate', ogLocale(language))),
    ...(head.description ? [property('og:description', head.description)] : []),
    ...(head.image ? picture(site, head.image) : []),
  ];
}

/** By which feed readers find the feed of a page (RFC 4287). */
function feedLink(site: Site, { path, title }: NonNullable<Head['feed']>): string {
  const href = escapeMarkup(addressIn(path, site.language, site.public_url));
  return `<link rel="alternate" type="application/atom+xml" title="${escapeMarkup(title)}" href="${href}">`;
}

function structuredData({ public_url }: Site, { data }: Head): string[] {
  if (!data) return [];
  const json = jsonForMarkup(data((path) => new URL(path, public_url).href));
  return [`<script type="application/ld+json">${json}</script>`];
}

function picture(site: Site, { path, width, height, alt }: HeadPicture): string[] {
  return [
    property('og:image', new URL(path, site.public_url).href),
    property('og:image:width', String(width)),
    property('og:image:height', String(height)),
    property('og:image:alt', alt),
    `<meta name="twitter:card" content="${width > height ? 'summary_large_image' : 'summary'}">`,
  ];
}

function property(name: string, content: string): string {
  return `<meta property="${name}" content="${escapeMarkup(content)}">`;
}
