import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { PRAISE_LIKE } from '../../../shared/constants.ts';
import { Button } from '../../ui/button/button.tsx';
import type { ButtonLook } from '../../ui/button/button-class.ts';
import { classNames } from '../../ui/class-names.ts';
import { HeartIcon } from '../../ui/icon/state-icons.tsx';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import { Count } from './count.tsx';
import styles from './plugin-buttons.module.css';
import { usePluginChange } from './plugin-mutation.tsx';
import type { ShownPlugin } from './shown-plugin.ts';

type LikeButtonProps = ButtonLook & { plugin: ShownPlugin; className?: string | undefined };

/** A heart, which answers a like, with the number of likes, which rolls; pressed when the visitor likes the plugin. */
export function LikeButton({ plugin, className, variant = 'quiet', size = 's' }: LikeButtonProps) {
  const t = useTranslations('plugin');
  const { change } = usePluginChange(plugin);
  const liked = plugin.is_praise === PRAISE_LIKE;
  const [turn, setTurn] = useState<'up' | 'down'>();
  const toggle = (): void => {
    setTurn(liked ? 'down' : 'up');
    change(liked ? 'unlike' : 'like');
  };
  return (
    <Button
      variant={variant}
      size={size}
      className={classNames(styles.like, liked && styles.liked, turn === 'up' && styles.popping, className)}
      aria-pressed={liked}
      onClick={toggle}
    >
      <HeartIcon filled={liked} size={size === 's' ? 15 : 17} />
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
