import type { SoftwareApplication, WithContext } from 'schema-dts';
import type { PluginDetail } from '../../../shared/entities/plugin.ts';
import { pictureUrl } from '../../../shared/media.ts';
import { pluginPath } from '../../features/plugins/plugin-path.ts';

/**
 * A plugin for search engines, in the terms of schema.org. What an external service does not know is left out.
 * @param absolute makes an address of a path of this site
 */
export function pluginData(
  plugin: PluginDetail,
  absolute: (path: string) => string,
): WithContext<SoftwareApplication> {
  const { cover, icon, publisher, languages, tags, permissions, allowed_domains } = plugin;
  const picture = cover ?? icon;
  const screenshots = plugin.media.flatMap((item) =>
    item.kind === 'image' && !item.is_before ? [item.picture] : [],
  );
  const links = [plugin.home_page, plugin.source_url].filter((link): link is string => !!link);
  const published = plugin.releases?.first_at ?? plugin.created_at;
  const reached = [...(permissions ?? []), ...(allowed_domains ?? [])];
  const addressOf = ({ key, widths }: { key: string; widths: readonly number[] }): string =>
    absolute(pictureUrl(key, Math.max(...widths)));
  return {
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: plugin.name,
    description: plugin.intro,
    url: absolute(pluginPath(plugin.plugin_key)),
    applicationCategory: 'DesignApplication',
    offers: { '@type': 'Offer', price: 0, priceCurrency: 'USD' },
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: { '@type': 'InstallAction' },
      userInteractionCount: plugin.install_count,
    },
    ...(plugin.license && { license: plugin.license.url ?? plugin.license.name }),
    ...(links.length > 0 && { sameAs: links }),
    ...(plugin.version !== '' && { softwareVersion: plugin.version }),
    ...(published !== '' && { datePublished: published }),
    ...(plugin.updated_at !== '' && { dateModified: plugin.updated_at }),
    ...(publisher.nick_name !== '' && { author: { '@type': 'Person', name: publisher.nick_name } }),
    ...(languages.length > 0 && { inLanguage: languages }),
    ...(tags.length > 0 && { keywords: tags.map(({ name }) => name).join(', ') }),
    ...(reached.length > 0 && { permissions: reached.join(', ') }),
    ...(picture && { image: addressOf(picture) }),
    ...(screenshots.length > 0 && { screenshot: screenshots.map(addressOf) }),
  };
}
