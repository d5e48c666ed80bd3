import { classNames } from '../class-names.ts';
import styles from './skeleton.module.css';

type SkeletonProps = { shape?: 'line' | 'block' | 'circle'; className?: string | undefined };

/** The place of something that is on its way; its size comes from `className`. */
export function Skeleton({ shape = 'line', className }: SkeletonProps) {
  return <span className={classNames(styles.skeleton, styles[shape], className)} aria-hidden="true" />;
}
