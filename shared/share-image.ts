import type { Language } from './languages.ts';

/** Pixels of a share card's picture: what Open Graph's readers show large (1.91 to 1). */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

/** Address of a plugin's picture for share cards: another one after each change, as its readers keep what they have. */
export function shareImagePath(
  { plugin_key, updated_at }: { plugin_key: string; updated_at: string },
  language: Language,
): string {
  const version = Date.parse(updated_at).toString(36);
  return `/api/cmt/plugin/share/${plugin_key}/${language}.jpg?v=${version}`;
}
