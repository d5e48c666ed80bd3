import UserIcon from 'lucide-react/icons/user';
import { useState } from 'react';
import { classNames } from '../class-names.ts';
import styles from './avatar.module.css';
import { avatarLetter } from './avatar-letter.ts';

const GRADIENTS = [styles.g0, styles.g1, styles.g2, styles.g3, styles.g4];
const SIZES = { 20: styles.s20, 30: styles.s30, 32: styles.s32, 40: styles.s40 };

type AvatarProps = {
  userId: number | undefined;
  nickName: string;
  avatarUrl: string;
  size?: keyof typeof SIZES;
};

/**
 * A user's picture, else (also when it fails to load) a gradient by `userId` with the first letter of the name, else a
 * grey silhouette (R 11.17). Decorative: the name is beside it.
 */
export function Avatar({ userId, nickName, avatarUrl, size = 32 }: AvatarProps) {
  const [broken, setBroken] = useState('');
  const frame = classNames(styles.avatar, SIZES[size]);
  if (avatarUrl !== '' && avatarUrl !== broken) {
    const giveUp = (): void => setBroken(avatarUrl);
    return (
      <img
        ref={(image) => {
          // A failure before hydration has fired no event handler.
          if (image?.complete && image.naturalWidth === 0) giveUp();
        }}
        className={frame}
        src={avatarUrl}
        alt=""
        width={size}
        height={size}
        decoding="async"
        onError={giveUp}
      />
    );
  }
  const letter = avatarLetter(nickName);
  if (userId === undefined || letter === undefined)
    return (
      <span className={classNames(frame, styles.nobody)} aria-hidden="true">
        <UserIcon />
      </span>
    );
  return (
    <span className={classNames(frame, GRADIENTS[Math.abs(userId) % GRADIENTS.length])} aria-hidden="true">
      {letter}
    </span>
  );
}
