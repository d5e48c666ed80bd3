import { alternatesOf } from '../../../../shared/alternates.ts';
import { escapeMarkup } from '../../../../shared/escape-markup.ts';
import type { Language } from '../../../../shared/languages.ts';

/** A page as a sitemap lists it; `path` is without `?lang=`. */
export type ListedPage = { path: string; changed?: string };

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SITEMAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const LINKS = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"';

/** A sitemap (sitemaps.org) in which every page names its other languages, as search engines ask for them. */
export function sitemapXml(
  pages: readonly ListedPage[],
  { languages, publicUrl }: { languages: readonly Language[]; publicUrl: string },
): string {
  const entries = pages.map(({ path, changed }) => {
    const links = alternatesOf(path, languages, publicUrl).map(
      ({ hreflang, href }) =>
        `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${escapeMarkup(href)}"/>`,
    );
    const lastmod = changed === undefined ? '' : `<lastmod>${escapeMarkup(changed)}</lastmod>`;
    return `<url><loc>${escapeMarkup(new URL(path, publicUrl).href)}</loc>${lastmod}${links.join('')}</url>\n`;
  });
  return `${HEAD}<urlset ${SITEMAPS} ${LINKS}>\n${entries.join('')}</urlset>\n`;
}

/** The list of sitemaps. */
export function sitemapIndexXml(paths: readonly string[], publicUrl: string): string {
  const entries = paths.map(
    (path) => `<sitemap><loc>${escapeMarkup(new URL(path, publicUrl).href)}</loc></sitemap>\n`,
  );
  return `${HEAD}<sitemapindex ${SITEMAPS}>\n${entries.join('')}</sitemapindex>\n`;
}
