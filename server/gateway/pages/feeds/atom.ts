import { escapeMarkup } from '../../../../shared/escape-markup.ts';
import { addressIn, type Language } from '../../../../shared/languages.ts';

export type AtomEntry = {
  /** Unique and lasting within this site. */
  id: string;
  title: string;
  /** RFC 3339. */
  updated: string;
  /** Path of its page. */
  page: string;
  content: string;
  author?: string;
  category?: string;
};

export type AtomFeed = {
  /** Unique and lasting within this site. */
  id: string;
  title: string;
  subtitle?: string;
  /** Paths of the feed itself and of the page with the same content. */
  path: string;
  page: string;
  /** Latest first. */
  entries: readonly AtomEntry[];
};

/** Characters that no XML document may contain (XML 1.0 section 2.2). */
const FORBIDDEN = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** An empty feed needs a time too (RFC 4287 section 4.1.1); it has never changed. */
const NEVER = '2026-01-01T00:00:00.000Z';

/** An Atom document (RFC 4287). All values are escaped, and texts are plain: no reader takes them for markup. */
export function atomDocument(feed: AtomFeed, language: Language, publicUrl: string): string {
  const authority = new URL(publicUrl).hostname;
  const address = (path: string): string => escaped(addressIn(path, language, publicUrl));
  const id = (name: string): string => `<id>tag:${authority},2026:${escaped(name)}</id>`;
  const entries = feed.entries.map((entry) =>
    [
      `<entry>${id(entry.id)}`,
      text('title', entry.title),
      `<updated>${escaped(entry.updated)}</updated>`,
      ...(entry.author === undefined ? [] : [`<author><name>${escaped(entry.author)}</name></author>`]),
      `<link rel="alternate" type="text/html" href="${address(entry.page)}"/>`,
      ...(entry.category === undefined ? [] : [`<category term="${escaped(entry.category)}"/>`]),
      `${text('content', entry.content)}</entry>\n`,
    ].join(''),
  );
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">\n`,
    id(feed.id),
    text('title', feed.title),
    ...(feed.subtitle === undefined ? [] : [text('subtitle', feed.subtitle)]),
    `<updated>${escaped(feed.entries[0]?.updated ?? NEVER)}</updated>`,
    `<author><name>${escaped(authority)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${address(feed.path)}"/>`,
    `<link rel="alternate" type="text/html" href="${address(feed.page)}"/>\n`,
    `${entries.join('')}</feed>\n`,
  ].join('');
}

function escaped(value: string): string {
  return escapeMarkup(value.replace(FORBIDDEN, ''));
}

function text(name: string, value: string): string {
  return `<${name} type="text">${escaped(value)}</${name}>`;
}
