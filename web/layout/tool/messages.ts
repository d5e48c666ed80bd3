import type { Theme } from '../../../shared/boot.ts';
import { isLanguage, type Language } from '../../../shared/languages.ts';
import { THEMES } from '../../features/preferences/theme-choice.ts';

/** Every message of either side carries these; another version is other words (docs/clients.md). */
export const SIGNED = { source: 'plugin-square', version: 1 } as const;

/** What the design tool around the store says. */
export type ToolMessage = { type: 'theme'; theme: Theme } | { type: 'language'; language: Language };

/** What the store tells it. */
export type StoreMessage =
  | { type: 'ready' }
  | { type: 'installed' | 'uninstalled' | 'open'; plugin_key: string };

type Fields = Readonly<Record<string, unknown>>;

const READERS: Readonly<Record<ToolMessage['type'], (fields: Fields) => ToolMessage | undefined>> = {
  theme({ theme: named }) {
    const theme = THEMES.find((known) => known === named);
    return theme && { type: 'theme', theme };
  },
  language: ({ language }) =>
    typeof language === 'string' && isLanguage(language) ? { type: 'language', language } : undefined,
};

const isKnown = (type: unknown): type is ToolMessage['type'] =>
  typeof type === 'string' && Object.hasOwn(READERS, type);

/** Parses the data of a message event; undefined for messages of other code or another version. */
export function readToolMessage(data: unknown): ToolMessage | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const fields: Fields = { ...data };
  if (fields.source !== SIGNED.source || fields.version !== SIGNED.version) return undefined;
  return isKnown(fields.type) ? READERS[fields.type](fields) : undefined;
}
