import { classNames } from '../class-names.ts';
import styles from './skeleton.module.css';

type SkeletonProps = { shape?: 'line' | 'block' | 'circle'; className?: string | undefined };

/** A placeholder for loading content; sized by `className`. */
export function Skeleton({ shape = 'line', className }: SkeletonProps) {
  return <span className={classNames(styles.skeleton, styles[shape], className)} aria-hidden="true" />;
}
