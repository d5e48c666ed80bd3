import { classNames } from '../class-names.ts';
import { UserIcon } from '../icon/site-icons.tsx';
import styles from './avatar.module.css';

const GRADIENTS = [styles.g0, styles.g1, styles.g2, styles.g3, styles.g4];
const SIZES = { 20: styles.s20, 30: styles.s30, 32: styles.s32, 40: styles.s40 };

type AvatarProps = {
  userId: number | undefined;
  nickName: string;
  avatarUrl: string;
  size?: keyof typeof SIZES;
};

/**
 * A person: the picture, else a gradient by `userId` with the first letter of the name, else a grey
 * silhouette (specification section 3). Decorative: the name stands beside it.
 */
export function Avatar({ userId, nickName, avatarUrl, size = 32 }: AvatarProps) {
  const letter = [...nickName.trim()][0]?.toUpperCase();
  const frame = classNames(styles.avatar, SIZES[size]);
  if (avatarUrl !== '')
    return <img className={frame} src={avatarUrl} alt="" width={size} height={size} loading="lazy" />;
  if (!userId || letter === undefined)
    return (
      <span className={classNames(frame, styles.nobody)} aria-hidden="true">
        <UserIcon size={Math.round(size * 0.6)} />
      </span>
    );
  return (
    <span className={classNames(frame, GRADIENTS[userId % GRADIENTS.length])} aria-hidden="true">
      {letter}
    </span>
  );
}
