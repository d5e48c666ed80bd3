import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Manifest, ManifestChunk } from 'vite';
import { BASE_PATH } from '../shared/constants.ts';
import type { Language } from '../shared/languages.ts';
import { textFolderOf } from './messages.ts';

/** The assets of a document; URLs are paths. */
export type PageAssets = {
  /** Entry scripts, in order: vendor code, then the entry. */
  scripts: readonly string[];
  /** Chunks to preload: those of the page, its messages and the account. */
  preloads: readonly string[];
  css: string;
  /** Files whose content `css` has. */
  inlined: readonly string[];
};

type Page = { folder: string; language: Language; isSignedIn: boolean };

const ENTRY = 'main.tsx';
const MEMBER_ROUTES = 'member-routes.tsx';
const ACCOUNT_MENU = 'features/session/account-menu.tsx';
const PAGE = /^pages\/(.+)\/[^/]+-page\.tsx$/;

/** Vite's manifest of the client build, beside the server build; empty in development, where Vite serves sources. */
const manifest: Manifest = import.meta.env.PROD ? JSON.parse(read('.vite/manifest.json')) : {};

/** Pages in the manifest by their folders. */
const pages = new Map(
  Object.keys(manifest).flatMap((name): [string, string][] => {
    const folder = PAGE.exec(name)?.[1];
    return folder === undefined ? [] : [[folder, name]];
  }),
);

const styles = new Map(
  [ENTRY, ...pages.values()].map((page) => {
    const files = [...closure([ENTRY, ACCOUNT_MENU, page])].flatMap((chunk) => chunk.css ?? []);
    const inlined = [...new Set(files)];
    return [page, { css: inlined.map(read).join(''), inlined: inlined.map(addressOf) }];
  }),
);

/** Content-Security-Policy sources of all inline CSS. */
export const styleHashes = [...styles.values()].map(
  ({ css }) => `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
);

/** All assets of a page's document by the page's folder, so that the browser discovers none of them late. */
export function pageAssets({ folder, language, isSignedIn }: Page): PageAssets {
  if (!import.meta.env.PROD) return { scripts: [BASE_PATH + ENTRY], preloads: [], css: '', inlined: [] };
  const page = pages.get(folder) ?? '';
  const entry = closure([ENTRY]);
  const texts = `../virtual:texts/${language}`;
  const isOfMembers = manifest[MEMBER_ROUTES]?.dynamicImports?.includes(page);
  const roots = [
    ...(isOfMembers ? [MEMBER_ROUTES] : []),
    page,
    texts,
    `${texts}/${textFolderOf(folder)}`,
    ...(isSignedIn ? [ACCOUNT_MENU] : []),
  ];
  return {
    scripts: filesOf(entry),
    preloads: filesOf(closure(roots, new Set(entry))).slice(entry.size),
    css: '',
    inlined: [],
    ...(styles.get(page) ?? styles.get(ENTRY)),
  };
}

function read(file: string): string {
  return readFileSync(new URL(`../client/${file}`, import.meta.url), 'utf8');
}

function addressOf(file: string): string {
  return BASE_PATH + file;
}

function filesOf(chunks: Iterable<ManifestChunk>): string[] {
  return [...chunks].map(({ file }) => addressOf(file));
}

/** Chunks and their static imports, imported ones first: styles apply in this order. */
function closure(names: readonly string[], chunks = new Set<ManifestChunk>(), visited = new Set<string>()) {
  for (const name of names.filter((name) => !visited.has(name))) {
    const chunk = manifest[name];
    visited.add(name);
    closure(chunk?.imports ?? [], chunks, visited);
    if (chunk) chunks.add(chunk);
  }
  return chunks;
}
