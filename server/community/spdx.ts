import ids from 'spdx-license-ids/index.json' with { type: 'json' };
import type { PluginDetail } from '../../shared/entities/plugin.ts';

const BY_LOWER_CASE: ReadonlyMap<string, string> = new Map(ids.map((id) => [id.toLowerCase(), id]));

/** A licence as it is stored: an id of the SPDX list in its own spelling, or the text as it was written. */
export function licenseName(text: string): string {
  const name = text.trim();
  return BY_LOWER_CASE.get(name.toLowerCase()) ?? name;
}

/** A stored licence, with the page that describes it if it is one of the SPDX list. */
export function toLicense(name: string): NonNullable<PluginDetail['license']> | null {
  if (name === '') return null;
  return {
    name,
    url: BY_LOWER_CASE.has(name.toLowerCase()) ? `https://spdx.org/licenses/${name}.html` : null,
  };
}
