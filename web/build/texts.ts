import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';
import { FALLBACK_LANGUAGE } from '../../shared/languages.ts';

type Texts = { [key: string]: string | Texts };
type Compiled = { [key: string]: ReturnType<typeof compile> | Compiled };

/** Parses every ICU message of a pack, so that the browser needs no parser. @throws on a malformed message. */
export function compileMessages(texts: Texts, at = ''): Compiled {
  return Object.fromEntries(
    Object.entries(texts).map(([key, value]) => {
      if (typeof value !== 'string') return [key, compileMessages(value, `${at}${key}.`)];
      try {
        return [key, compile(value)];
      } catch (error) {
        throw new Error(`Message ${at}${key} is not valid ICU: ${value}`, { cause: error });
      }
    }),
  );
}

/** Merges `over` on top of `under`: a missing text falls back to the default language. */
export function mergeTexts(under: Texts, over: Texts): Texts {
  const merged: Texts = { ...under, ...over };
  for (const [key, value] of Object.entries(under)) {
    const own = over[key];
    if (typeof value !== 'string' && own !== undefined && typeof own !== 'string') {
      merged[key] = mergeTexts(value, own);
    }
  }
  return merged;
}

const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g;
const TYPES = /import type [^;]*;/g;
/** Matches `useTranslations('home')`, a translator's `namespace: 'site'`, and full keys such as `'error.network'`. */
const NAMESPACE = /useTranslations\('(\w+)|namespace: '(\w+)'|['"`](\w+)\.[\w$]/g;
const PAGE_FOLDER = /^pages\/([^/]+)\//;

/**
 * Namespaces of texts by page folder, found in the sources: '' has those of every page, and each folder below
 * `web/pages` those that its pages need in addition, lazy imports included.
 * @throws for a namespace that the packs don't have
 */
export function namespacesByFolder(web: string, known: readonly string[]): Map<string, string[]> {
  const files = globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['dist/**', 'build/**'] });
  const sources = new Map(files.map((file) => [file, readFileSync(join(web, file), 'utf8')]));
  const namespacesOf = (file: string): string[] =>
    [...(sources.get(file) ?? '').matchAll(NAMESPACE)].flatMap(([, own, translated, literal = '']) => {
      const name = own ?? translated;
      if (name === undefined) return known.includes(literal) ? [literal] : [];
      if (!known.includes(name))
        throw new Error(`No message pack has the namespace “${name}”, used in ${file}`);
      return [name];
    });
  const shownBy = (starts: readonly string[], isOwn: (file: string) => boolean): Set<string> => {
    const visited = new Set(starts);
    for (const file of visited) {
      for (const [, path = ''] of (sources.get(file) ?? '').replace(TYPES, '').matchAll(IMPORT)) {
        const target = join(dirname(file), path);
        if (isOwn(target)) visited.add(target);
      }
    }
    return new Set([...visited].flatMap(namespacesOf));
  };
  const everywhere = shownBy(['main.tsx', 'entry-server.tsx'], (file) => !PAGE_FOLDER.test(file));
  const folders = new Set(files.flatMap((file) => PAGE_FOLDER.exec(file)?.[1] ?? []));
  return new Map([
    ['', [...everywhere]],
    ...[...folders].map((folder): [string, string[]] => {
      const shown = shownBy(
        files.filter((file) => file.startsWith(`pages/${folder}/`)),
        () => true,
      );
      return [folder, [...shown].filter((name) => !everywhere.has(name))];
    }),
  ]);
}

/** `virtual:texts/<language>`, optionally followed by a page folder. */
const MODULE_ID = /^virtual:texts\/[a-z]{2}-[A-Z]{2}(?:\/[\w-]+)?$/;

/**
 * Provides message chunks as modules: `virtual:texts/<language>` has the messages of every page and imports for those
 * of each page folder. In development the first one has all messages.
 */
export function texts({ web, locales }: { web: string; locales: string }): Plugin {
  const read = (language: string): Texts =>
    JSON.parse(readFileSync(join(locales, `${language}.json`), 'utf8'));
  let namespaces = new Map<string, string[]>();
  return {
    name: 'texts',
    configResolved({ command }) {
      if (command === 'build') namespaces = namespacesByFolder(web, Object.keys(read(FALLBACK_LANGUAGE)));
    },
    resolveId: { filter: { id: MODULE_ID }, handler: (source) => `\0${source}` },
    load: {
      filter: { id: /^\0virtual:texts\// },
      handler(id) {
        const [, language = '', folder = ''] = id.split('/');
        for (const name of [FALLBACK_LANGUAGE, language]) this.addWatchFile(join(locales, `${name}.json`));
        const pack = Object.entries(mergeTexts(read(FALLBACK_LANGUAGE), read(language)));
        const wanted = namespaces.get(folder);
        const own = Object.fromEntries(pack.filter(([name]) => wanted?.includes(name) ?? true));
        const loaders = [...namespaces.keys()]
          .filter((name) => folder === '' && name !== '')
          .map((name) => `'${name}': () => import('virtual:texts/${language}/${name}')`);
        return `export default ${JSON.stringify(compileMessages(own))};
export const folders = { ${loaders.join(', ')} };`;
      },
    },
  };
}
