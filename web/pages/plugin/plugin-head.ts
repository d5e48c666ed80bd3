import type { PluginDetail } from '../../../shared/entities/plugin.ts';
import { pictureUrl } from '../../../shared/media.ts';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import type { PageHead } from '../../layout/page-head.tsx';

/** What title bars, search engines and share cards show of a plugin. */
export function pluginHead(plugin: PluginDetail): PageHead {
  const width = plugin.cover?.widths.at(-1);
  return {
    title: plugin.name,
    description: plugin.intro,
    canonical: pluginPath(plugin.plugin_key),
    ...(plugin.cover && width !== undefined ? { image: pictureUrl(plugin.cover.key, width) } : {}),
  };
}
