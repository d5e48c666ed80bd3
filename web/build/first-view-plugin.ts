import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { BASE_PATH } from '../../shared/constants.ts';
import { LANGUAGES, type Language } from '../../shared/languages.ts';
import type { ClientAssets } from './client-assets.ts';
import { MESSAGES_PREFIX } from './messages-plugin.ts';

type Options = { root: string; onAssets: (assets: ClientAssets) => void };
type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

const PAGES = /^web\/pages\/.*-page\.tsx$/;

/**
 * Takes the CSS of every first view out of the build, to be sent inside the HTML, and notes which chunks a page
 * and a language need. CSS that only chunks behind an interaction bring keeps its own file.
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
      const pages = chunks.flatMap((chunk): [string, Chunk][] => {
        const source = relative(root, chunk.facadeModuleId ?? '');
        return PAGES.test(source) ? [[source, chunk]] : [];
      });
      const css = takeCss(bundle, [entry, ...pages.map(([, chunk]) => chunk)]);
      const before = new Set([entry.fileName]);
      const addresses = (chunk: Chunk): string[] =>
        closure(bundle, chunk)
          .filter(({ fileName }) => !before.has(fileName))
          .map(({ fileName }) => `${BASE_PATH}${fileName}`);
      onAssets({
        script: `${BASE_PATH}${entry.fileName}`,
        icon: `${BASE_PATH}${this.getFileName(icon)}`,
        css,
        cssHash: `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
        entryPreloads: addresses(entry),
        pages: Object.fromEntries(pages.map(([source, chunk]) => [source, addresses(chunk)])),
        languages: languageChunks(chunks, addresses),
      });
    },
  };
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

/** Joins and removes the CSS that the given chunks bring, so that no script will ask for it again. */
function takeCss(bundle: Bundle, roots: Chunk[]): string {
  const seen = new Set<Chunk>();
  const chunks = roots.flatMap((root) => closure(bundle, root, seen));
  const files = new Set(chunks.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]));
  const css = [...files].map((file) => {
    const output = bundle[file];
    delete bundle[file];
    return output?.type === 'asset' ? withoutComments(String(output.source)) : '';
  });
  for (const chunk of chunks) chunk.viteMetadata?.importedCss.clear();
  return css.join('');
}

/** The build's own marks; what is left needs no more minifying. */
function withoutComments(css: string): string {
  return css.replace(/\/\*[^*]*\*\//g, '').trim();
}

function languageChunks(
  chunks: Chunk[],
  addresses: (chunk: Chunk) => string[],
): Readonly<Record<Language, string[]>> {
  const of = (language: Language): string[] => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === `${MESSAGES_PREFIX}${language}`);
    if (!chunk) throw new Error(`The client build has no chunk for ${language}.`);
    return addresses(chunk);
  };
  const [zh, en, ja, ko, ru, es] = LANGUAGES;
  return { [zh]: of(zh), [en]: of(en), [ja]: of(ja), [ko]: of(ko), [ru]: of(ru), [es]: of(es) };
}
