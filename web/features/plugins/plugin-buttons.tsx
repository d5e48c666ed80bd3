import CheckIcon from 'lucide-react/icons/check';
import DownloadIcon from 'lucide-react/icons/download';
import HeartIcon from 'lucide-react/icons/heart';
import TrashIcon from 'lucide-react/icons/trash';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { PRAISE_LIKE } from '../../../shared/constants.ts';
import { useIsInTool } from '../../api/in-tool.ts';
import { Button } from '../../ui/button/button.tsx';
import type { ButtonLook } from '../../ui/button/button-class.ts';
import { classNames } from '../../ui/class-names.ts';
import { Spinner } from '../../ui/spinner/spinner.tsx';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import { Count } from './count.tsx';
import styles from './plugin-buttons.module.css';
import { usePluginChange } from './plugin-mutation.tsx';
import type { PluginSummary } from './plugin-summary.ts';

type LikeButtonProps = ButtonLook & { plugin: PluginSummary; className?: string | undefined };

/** An animated heart with the number of likes; pressed when the visitor likes the plugin. */
export function LikeButton({ plugin, className, variant = 'quiet', size = 's' }: LikeButtonProps) {
  const t = useTranslations('plugin');
  const { change } = usePluginChange(plugin);
  const liked = plugin.is_praise === PRAISE_LIKE;
  const [turn, setTurn] = useState<'up' | 'down'>();
  // Sessions inside a design tool can't like.
  const isInTool = useIsInTool();
  const toggle = (): void => {
    setTurn(liked ? 'down' : 'up');
    change(liked ? 'unlike' : 'like');
  };
  if (isInTool) return null;
  return (
    <Button
      variant={variant}
      size={size}
      className={classNames(styles.like, liked && styles.liked, turn === 'up' && styles.popping, className)}
      aria-pressed={liked}
      onClick={toggle}
    >
      <HeartIcon fill={liked ? 'currentColor' : 'none'} size={size === 's' ? 15 : 17} />
      <ShortText full={t('like_named', { name: plugin.name, count: plugin.praise_count })}>
        <span className={styles.counter}>
          <span key={plugin.praise_count} className={turn && styles[turn]}>
            <Count value={plugin.praise_count} />
          </span>
        </span>
      </ShortText>
    </Button>
  );
}

type InstallButtonProps = ButtonLook & {
  plugin: PluginSummary;
  /** Text only, an icon before it, or the icon only. */
  shows?: 'text' | 'both' | 'icon';
  /** Not public: whoever may install it tries it out. */
  isTrial?: boolean;
  /** Version whose permissions are shown beside the button. */
  seenVersion?: string | undefined;
};

/**
 * Installs optimistically: a spinner until the server has answered, then a check mark. Once installed it becomes
 * "Uninstall" on hover or keyboard focus; the second click of a double click doesn't uninstall. On touch devices it
 * always shows "Uninstall", with a badge for the state.
 */
export function InstallButton({
  plugin,
  shows = 'text',
  variant = 'soft',
  size = 's',
  isTrial = false,
  seenVersion,
}: InstallButtonProps) {
  const t = useTranslations('plugin');
  const installation = useTranslations('installation');
  const { change, isPending } = usePluginChange(plugin, seenVersion);
  const [fresh, setFresh] = useState(false);
  const endAnimation = (): void => setFresh(false);
  const install = (): void => {
    setFresh(true);
    change('install');
  };
  const square = shows === 'icon';
  const { name } = plugin;
  const text = (short: string, full: string) =>
    square ? <VisuallyHidden>{full}</VisuallyHidden> : <ShortText full={full}>{short}</ShortText>;
  if (!plugin.is_installed)
    return (
      <Button variant={variant} size={size} square={square} onClick={install}>
        {shows !== 'text' && <DownloadIcon />}
        {text(
          isTrial ? installation('try') : t('install'),
          isTrial ? installation('try_named', { name }) : t('install_named', { name }),
        )}
      </Button>
    );
  return (
    <Button
      variant="outline"
      size={size}
      square={square}
      className={classNames(styles.installed, fresh && styles.fresh)}
      onPointerLeave={endAnimation}
      onBlur={endAnimation}
      onClick={fresh ? endAnimation : () => change('uninstall')}
    >
      <span className={styles.state}>
        <span className={styles.sign}>{isPending ? <Spinner /> : <CheckIcon size={14} />}</span>
        {text(t('installed'), t('installed_named', { name }))}
      </span>
      <span className={styles.offer}>
        {square && <TrashIcon size={14} />}
        {text(t('uninstall'), t('uninstall_named', { name }))}
      </span>
    </Button>
  );
}
