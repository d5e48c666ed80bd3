import BellIcon from 'lucide-react/icons/bell';
import BellRingIcon from 'lucide-react/icons/bell-ring';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button/button.tsx';
import type { ButtonLook } from '../../ui/button/button-class.ts';
import { Tooltip } from '../../ui/tooltip/tooltip.tsx';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import { type FollowTarget, useFollow } from './follow.ts';

type FollowButtonProps = ButtonLook & {
  target: FollowTarget;
  /** Of what is followed. */
  name: string;
  /** An icon only. */
  square?: boolean;
  /** Says what is followed, where it stands alone. */
  isNamed?: boolean;
};

const HINTS = { plugin: 'hint_plugin', tag: 'hint_tag', publisher: 'hint_publisher' } as const;

/** Follows a plugin, a tag or a publisher, or stops that. */
export function FollowButton({ target, name, square = false, isNamed = false, ...look }: FollowButtonProps) {
  const t = useTranslations('follow');
  const { isAvailable, isFollowed, change } = useFollow(target, name);
  if (!isAvailable) return null;
  const full = t(isFollowed ? 'following_named' : 'follow_named', { name });
  return (
    <Tooltip text={t(isFollowed ? 'stop' : HINTS[target.kind])}>
      <Button variant="outline" {...look} square={square} onClick={() => change(!isFollowed)}>
        {isFollowed ? <BellRingIcon fill="currentColor" /> : <BellIcon />}
        {square && <VisuallyHidden>{full}</VisuallyHidden>}
        {!square && isNamed && full}
        {!square && !isNamed && <ShortText full={full}>{t(isFollowed ? 'following' : 'follow')}</ShortText>}
      </Button>
    </Tooltip>
  );
}

/** Follows what a visitor wanted to follow before they signed in. */
export function SendPendingFollow({ target }: { target: FollowTarget }) {
  const t = useTranslations('follow');
  const { change } = useFollow(target, t('pending'));
  const isSent = useRef(false);
  const send = useEffectEvent(() => {
    if (isSent.current) return;
    isSent.current = true;
    change(true);
  });
  useEffect(() => send(), []);
  return null;
}
