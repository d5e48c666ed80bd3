import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';
import { FALLBACK_LANGUAGE } from '../../shared/languages.ts';
import { TEXT_GROUPS } from '../text-groups.ts';

/** `virtual:texts/<language>`, and the same with `:<group>` behind it. */
const ASKED = /^virtual:texts\/([a-z]{2}-[A-Z]{2}(?::\w+)?)$/;
/** Begins the id of a language's module; the language follows. */
export const MESSAGES_PREFIX = '\0messages:';

type Texts = { [key: string]: string | Texts };
type Compiled = { [key: string]: ReturnType<typeof compile> | Compiled };

/** Parses every ICU message of a pack, so that no parser reaches the browser. @throws on a malformed message. */
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

/** The texts of `over` on top of those of `under`: a text missing in a language is shown in the fallback one. */
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

/** The namespaces of a language's texts that come with every page, or those of one group. */
function namespacesOf(texts: Texts, group: string | undefined): Texts {
  const groups: Readonly<Record<string, readonly string[]>> = TEXT_GROUPS;
  const grouped = new Set(Object.values(groups).flat());
  const own = group === undefined ? undefined : new Set(groups[group]);
  return Object.fromEntries(
    Object.entries(texts).filter(([name]) => (own ? own.has(name) : !grouped.has(name))),
  );
}

/** Table of what fetches the groups of a language. */
function groupTable(language: string): string {
  const entries = Object.keys(TEXT_GROUPS).map(
    (group) => `${group}: () => import('virtual:texts/${language}:${group}')`,
  );
  return `export const groups = { ${entries.join(', ')} };`;
}

/**
 * Serves the texts of a language as modules of compiled messages: `virtual:texts/<language>` with what every page may show
 * and where the groups of texts are, and a module for each of these.
 */
export function messagesPlugin(folder: string): Plugin {
  const read = async (language: string): Promise<Texts> =>
    JSON.parse(await readFile(join(folder, `${language}.json`), 'utf8'));
  return {
    name: 'messages',
    enforce: 'pre',
    resolveId: {
      filter: { id: ASKED },
      handler: (source) => source.replace(ASKED, `${MESSAGES_PREFIX}$1`),
    },
    load: {
      filter: { id: new RegExp(`^${MESSAGES_PREFIX}`) },
      async handler(id) {
        const [language = '', group] = id.slice(MESSAGES_PREFIX.length).split(':');
        const texts = mergeTexts(await read(FALLBACK_LANGUAGE), await read(language));
        const own = `export default ${JSON.stringify(compileMessages(namespacesOf(texts, group)))};`;
        return group === undefined ? `${own}${groupTable(language)}` : own;
      },
    },
  };
}
