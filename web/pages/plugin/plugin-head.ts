import { VERSIONS_FEED_FILE } from '../../../shared/constants.ts';
import type { PluginDetail } from '../../../shared/entities/plugin.ts';
import { pictureUrl } from '../../../shared/media.ts';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import type { HeadPicture, PageHead } from '../../layout/page-head.tsx';
import { pluginData } from './plugin-data.ts';

/** Metadata of a plugin's page for title bars, search engines and share cards. */
export function pluginHead(plugin: PluginDetail): PageHead {
  const image = shareImage(plugin);
  return {
    title: plugin.name,
    description: plugin.intro,
    canonical: pluginPath(plugin.plugin_key),
    feed: { path: `${pluginPath(plugin.plugin_key)}/${VERSIONS_FEED_FILE}`, title: plugin.name },
    ...(image && { image }),
    data: (absolute) => pluginData(plugin, absolute),
  };
}

/** The widest file of the cover, else of the icon. */
function shareImage({ name, cover, icon }: PluginDetail): HeadPicture | undefined {
  const picture = cover ?? icon;
  if (!picture) return undefined;
  const width = Math.max(...picture.widths);
  const height = Math.round((width * picture.height) / picture.width);
  return { path: pictureUrl(picture.key, width), width, height, alt: name };
}
