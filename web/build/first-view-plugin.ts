import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { BASE_PATH } from '../../shared/constants.ts';
import { LANGUAGES, type Language } from '../../shared/languages.ts';
import { audienceOfPage, PAGE } from './chunks.ts';
import { classTable } from './class-names.ts';
import type { ClientAssets, PageFiles } from './client-assets.ts';
import { laterNames } from './later-styles.ts';
import { leanCss } from './lean-css.ts';
import { MESSAGES_PREFIX } from './messages-plugin.ts';

/** Part of the first view of who is signed in alone. */
const ACCOUNT = 'web/features/session/account-menu.tsx';

type Options = { root: string; onAssets: (assets: ClientAssets) => void };
type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

/**
 * Takes the CSS that every page stands on out of the build, to be sent inside the HTML, with a copy of what a visitor's
 * page adds to it, and once more as a file for documents that carry only what they show; notes which files a page and a
 * language need.
 */
export function firstViewPlugin({ root, onAssets }: Options): Plugin {
  let icon = '';
  return {
    name: 'first-view',
    async buildStart() {
      const source = await readFile(join(root, 'web/layout/icon.svg'), 'utf8');
      icon = this.emitFile({ type: 'asset', name: 'icon.svg', source });
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const entry = chunks.find((chunk) => chunk.isEntry);
      if (!entry) throw new Error('The client build has no entry.');
      const foundation = closure(bundle, entry);
      const css = takeCss(bundle, foundation);
      const before = new Set(foundation);
      const filesOf = (chunk: Chunk): string[] =>
        closure(bundle, chunk)
          .filter((needed) => !before.has(needed))
          .map(({ fileName }) => addressOf(fileName));
      const later = laterNames(classTable(root));
      const pages = Object.fromEntries(
        chunks.flatMap((chunk): [string, PageFiles][] => {
          const source = relative(root, chunk.facadeModuleId ?? '');
          if (!PAGE.test(source)) return [];
          const own = cssFiles(closure(bundle, chunk));
          // Between the entry and a page may stand a chunk that knows where the page lies.
          const way = chunks.filter((asking) => asking.dynamicImports.includes(chunk.fileName));
          const scripts = [...new Set([...way, chunk].flatMap(filesOf))];
          if (audienceOfPage(source) !== 'visitor') {
            return [[source, { scripts, css, inlined: [], styles: own.map(addressOf) }]];
          }
          const whole = css + own.map((file) => cssOf(bundle, file)).join('');
          const name = `${basename(source, '.tsx')}-whole.css`;
          const file = this.getFileName(this.emitFile({ type: 'asset', name, source: whole }));
          const lean = { css: leanCss(whole, (short) => later.has(short)), whole: addressOf(file) };
          return [[source, { scripts, css: whole, lean, inlined: own.map(addressOf), styles: [] }]];
        }),
      );
      onAssets({
        script: addressOf(entry.fileName),
        icon: addressOf(this.getFileName(icon)),
        css,
        laterClasses: [...later],
        cssHashes: [
          ...new Set([css, ...Object.values(pages).flatMap((page) => [page.css, page.lean?.css ?? css])]),
        ].map(policySource),
        entryPreloads: foundation
          .filter((chunk) => chunk !== entry)
          .map(({ fileName }) => addressOf(fileName)),
        account: chunks
          .filter(({ facadeModuleId }) => relative(root, facadeModuleId ?? '') === ACCOUNT)
          .flatMap(filesOf),
        pages,
        languages: languageFiles(chunks, filesOf),
        texts: {
          later: languageFiles(chunks, filesOf, ':later'),
          account: languageFiles(chunks, filesOf, ':account'),
          signIn: languageFiles(chunks, filesOf, ':signIn'),
          help: languageFiles(chunks, filesOf, ':help'),
          notices: languageFiles(chunks, filesOf, ':notices'),
          publishing: languageFiles(chunks, filesOf, ':publishing'),
          backstage: languageFiles(chunks, filesOf, ':backstage'),
        },
      });
    },
  };
}

function addressOf(fileName: string): string {
  return `${BASE_PATH}${fileName}`;
}

function policySource(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
}

/** A chunk and all it imports statically, what is imported first. */
function closure(bundle: Bundle, chunk: Chunk, seen = new Set<Chunk>()): Chunk[] {
  if (seen.has(chunk)) return [];
  seen.add(chunk);
  const imported = chunk.imports.flatMap((file) => {
    const output = bundle[file];
    return output?.type === 'chunk' ? closure(bundle, output, seen) : [];
  });
  return [...imported, chunk];
}

function cssFiles(chunks: readonly Chunk[]): string[] {
  return [...new Set(chunks.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]))];
}

/** The text of a file of CSS without the build's own marks; it is minified already. */
function cssOf(bundle: Bundle, file: string): string {
  const output = bundle[file];
  const css = output?.type === 'asset' ? String(output.source) : '';
  return css.replace(/\/\*[^*]*\*\//g, '').trim();
}

/** Joins and removes the CSS that the given chunks bring, so that no script will ask for it. */
function takeCss(bundle: Bundle, chunks: readonly Chunk[]): string {
  const files = cssFiles(chunks);
  const css = files.map((file) => cssOf(bundle, file)).join('');
  for (const file of files) delete bundle[file];
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== 'chunk') continue;
    for (const file of files) chunk.viteMetadata?.importedCss.delete(file);
  }
  return css;
}

function languageFiles(
  chunks: readonly Chunk[],
  filesOf: (chunk: Chunk) => string[],
  group = '',
): Readonly<Record<Language, string[]>> {
  const of = (language: Language): string[] => {
    const id = `${MESSAGES_PREFIX}${language}${group}`;
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === id);
    if (!chunk) throw new Error(`The client build has no chunk for ${language}${group}.`);
    return filesOf(chunk);
  };
  const [zh, en, ja, ko, ru, es] = LANGUAGES;
  return { [zh]: of(zh), [en]: of(en), [ja]: of(ja), [ko]: of(ko), [ru]: of(ru), [es]: of(es) };
}
