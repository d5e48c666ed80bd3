import type { PluginCard } from '../../../shared/entities/plugin.ts';

/** The fields of a plugin that cards and tiles show; the dehydrated queries of a page have no others. */
export type PluginSummary = Pick<
  PluginCard,
  | 'plugin_key'
  | 'name'
  | 'intro'
  | 'lang'
  | 'icon'
  | 'cover'
  | 'is_praise'
  | 'is_installed'
  | 'praise_count'
  | 'install_count'
> &
  Partial<Pick<PluginCard, 'intro_lang' | 'mark' | 'plugin_mark' | 'is_updated' | 'active_count'>> & {
    publisher: Pick<PluginCard['publisher'], 'nick_name' | 'is_deleted' | 'handle' | 'verified'>;
  };

export function pluginSummary(plugin: PluginSummary): PluginSummary {
  const { plugin_key, name, intro, lang, icon, cover, publisher, ...state } = plugin;
  const { is_praise, is_installed, praise_count, install_count, active_count } = state;
  const { mark, plugin_mark, intro_lang, is_updated } = state;
  return {
    plugin_key,
    name,
    intro,
    lang,
    ...(intro_lang && { intro_lang }),
    icon,
    cover,
    publisher: {
      nick_name: publisher.nick_name,
      ...(publisher.is_deleted && { is_deleted: true }),
      ...(publisher.handle !== undefined && { handle: publisher.handle }),
      ...(publisher.verified !== undefined && { verified: publisher.verified }),
    },
    is_praise,
    is_installed,
    praise_count,
    install_count,
    ...(active_count && { active_count }),
    ...(mark && { mark }),
    ...(is_updated && { is_updated }),
    ...(mark === undefined && plugin_mark && { plugin_mark }),
  };
}
