import ExternalLinkIcon from 'lucide-react/icons/external-link';
import LinkIcon from 'lucide-react/icons/link';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { PluginDetail } from '../../../../shared/entities/plugin.ts';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { Tooltip } from '../../../ui/tooltip/tooltip.tsx';
import { FollowButton } from '../follow-button.tsx';
import { InstallButton, LikeButton } from '../plugin-buttons.tsx';
import { pluginPath } from '../plugin-path.ts';
import { UpdateHold } from '../update-hold.tsx';
import { UpdateOffer } from '../update-offer.tsx';
import { useCopyLink } from '../use-copy-link.ts';
import styles from './plugin-actions.module.css';

type Props = {
  plugin: PluginDetail;
  isOwn: boolean;
  /** URL of the design tool, if known. */
  editorUrl: string | undefined;
  /** Opens the plugin in the design tool around this page; undefined where there is none. */
  onOpen: (() => void) | undefined;
  /** In a bar, with the main action only. */
  compact?: boolean;
  /** Beside the main action. */
  more?: ReactNode;
  /** After the other actions. */
  collect?: ReactNode;
};

/** A visitor's actions for the plugin on screen; only its publisher can install one that isn't public. */
export function PluginActions({ plugin, isOwn, editorUrl, onOpen, compact = false, more, collect }: Props) {
  const t = useTranslations('plugin');
  const { unpublished, installation } = plugin;
  const size = compact ? 'm' : 'l';
  // Services without permissions identify an install by the plugin's key alone.
  const seenVersion = plugin.permissions === undefined ? undefined : plugin.version || undefined;
  const mayTry = isOwn && unpublished !== 'hidden';
  return (
    <div className={styles.actions}>
      {plugin.is_installed && editorUrl !== undefined && (
        <a className={buttonClass({ variant: 'primary', size })} href={editorUrl}>
          <ExternalLinkIcon />
          {t('open_editor')}
        </a>
      )}
      {plugin.is_installed && onOpen && (
        <Button variant="primary" size={size} onClick={onOpen}>
          <ExternalLinkIcon />
          {t('open_editor')}
        </Button>
      )}
      {(!unpublished || plugin.is_installed || mayTry) && (
        <InstallButton
          plugin={plugin}
          variant="primary"
          size={size}
          shows="both"
          isTrial={unpublished !== undefined}
          seenVersion={seenVersion}
        />
      )}
      {plugin.is_installed && installation && (
        <UpdateOffer plugin={plugin} installation={installation} variant="primary" size={size} />
      )}
      {plugin.is_installed && installation && !compact && (
        <UpdateHold plugin={plugin} installation={installation} variant="outline" size="l" square />
      )}
      {more}
      {!unpublished && !compact && <LikeButton plugin={plugin} variant="outline" size="l" />}
      {!unpublished && !compact && (
        <FollowButton
          target={{ kind: 'plugin', key: plugin.plugin_key }}
          name={plugin.name}
          size="l"
          square
        />
      )}
      {!unpublished && !compact && collect}
      {!compact && <CopyLinkButton pluginKey={plugin.plugin_key} />}
    </div>
  );
}

function CopyLinkButton({ pluginKey }: { pluginKey: string }) {
  const t = useTranslations('plugin');
  const copy = useCopyLink(pluginPath(pluginKey));
  return (
    <Tooltip text={t('copy_link')}>
      <IconButton
        variant="outline"
        size="l"
        label={t('copy_link')}
        icon={<LinkIcon size={18} />}
        onClick={() => void copy()}
      />
    </Tooltip>
  );
}
