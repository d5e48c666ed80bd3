import type { PluginDetail } from '../../../../shared/entities/plugin.ts';
import { InstallButton } from '../install-button.tsx';
import { LikeButton } from '../like-button.tsx';
import { CopyLinkButton } from './copy-link-button.tsx';
import styles from './plugin-actions.module.css';

/** What a visitor can do with the plugin on screen. */
export function PluginActions({ plugin }: { plugin: PluginDetail }) {
  return (
    <div className={styles.actions}>
      <InstallButton plugin={plugin} variant="primary" size="l" shows="both" />
      <LikeButton plugin={plugin} variant="outline" size="l" />
      <CopyLinkButton pluginKey={plugin.plugin_key} />
    </div>
  );
}
