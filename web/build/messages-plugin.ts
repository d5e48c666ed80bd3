import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';
import { FALLBACK_LANGUAGE } from '../../shared/languages.ts';

const SOURCE = /\/locales\/[a-z]{2}-[A-Z]{2}\.json$/;
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

/** Serves each import of `locales/<language>.json` as a module of compiled messages. */
export function messagesPlugin(folder: string): Plugin {
  const read = async (language: string): Promise<Texts> =>
    JSON.parse(await readFile(join(folder, `${language}.json`), 'utf8'));
  return {
    name: 'messages',
    enforce: 'pre',
    resolveId: {
      filter: { id: SOURCE },
      handler: (source) => `${MESSAGES_PREFIX}${basename(source, '.json')}`,
    },
    load: {
      filter: { id: new RegExp(`^${MESSAGES_PREFIX}`) },
      async handler(id) {
        const language = id.slice(MESSAGES_PREFIX.length);
        const texts = mergeTexts(await read(FALLBACK_LANGUAGE), await read(language));
        return `export default ${JSON.stringify(compileMessages(texts))};`;
      },
    },
  };
}
