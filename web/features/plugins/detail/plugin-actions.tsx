import type { PluginDetail } from '../../../../shared/entities/plugin.ts';
import { InstallButton } from '../install-button.tsx';
import { LikeButton } from '../like-button.tsx';
import { UpdateOffer } from '../update-offer.tsx';
import { CopyLinkButton } from './copy-link-button.tsx';
import styles from './plugin-actions.module.css';

/** What a visitor can do with the plugin on screen; what is not public, its publisher alone may try. */
export function PluginActions({ plugin, isOwn }: { plugin: PluginDetail; isOwn: boolean }) {
  const { unpublished, installation } = plugin;
  // Services that tell no permissions know no more of an install than the plugin's key.
  const seen = plugin.permissions === undefined ? undefined : plugin.version || undefined;
  const mayTry = isOwn && unpublished !== 'hidden';
  return (
    <div className={styles.actions}>
      {(!unpublished || plugin.is_installed || mayTry) && (
        <InstallButton
          plugin={plugin}
          variant="primary"
          size="l"
          shows="both"
          isTrial={unpublished !== undefined}
          seen={seen}
        />
      )}
      {plugin.is_installed && installation && (
        <UpdateOffer plugin={plugin} installation={installation} variant="primary" size="l" />
      )}
      {!unpublished && <LikeButton plugin={plugin} variant="outline" size="l" />}
      <CopyLinkButton pluginKey={plugin.plugin_key} />
    </div>
  );
}
