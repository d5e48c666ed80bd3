import type { DataCollected, PluginDetail } from '../../shared/entities/plugin.ts';
import { type Language, textIn } from '../../shared/languages.ts';
import { toLicense } from './spdx.ts';

type StoredFacts = {
  license?: string;
  home_page?: string;
  source_url?: string;
  issues_url?: string;
  data_collected?: DataCollected | null;
};

/** Licence, links and what is collected, for a page in one language. */
export function factsIn(
  { license = '', home_page = '', source_url = '', issues_url = '', data_collected: collected }: StoredFacts,
  language: Language,
  defaultLang: Language,
): Pick<PluginDetail, 'license' | 'home_page' | 'source_url' | 'issues_url' | 'data_collected'> {
  const links = { home_page, source_url, issues_url };
  if (!collected) return { license: toLicense(license), ...links, data_collected: null };
  const { text, lang } = textIn(collected.other, language, defaultLang);
  return {
    license: toLicense(license),
    ...links,
    data_collected: { kinds: collected.kinds, other: text, lang },
  };
}
