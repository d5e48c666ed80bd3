import type { PluginDetail } from '../../../shared/entities/plugin.ts';
import type { Language } from '../../../shared/languages.ts';
import { SHARE_SIZE, shareImagePath } from '../../../shared/share-image.ts';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import type { PageHead } from '../../layout/page-head.tsx';

/** What title bars, search engines and share cards show of a plugin. */
export function pluginHead(plugin: PluginDetail, language: Language): PageHead {
  return {
    title: plugin.name,
    description: plugin.intro,
    canonical: pluginPath(plugin.plugin_key),
    ...(plugin.updated_at !== '' && {
      image: { path: shareImagePath(plugin, language), ...SHARE_SIZE, alt: plugin.name },
    }),
  };
}
