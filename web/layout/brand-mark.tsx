import { useTranslations } from 'use-intl';
import { useSite } from '../api/site-context.ts';
import styles from './brand-mark.module.css';

/** The site's name: the deployment's own, or ours in the reader's language. */
export function useSiteName(): string {
  const t = useTranslations('site');
  return useSite().brand?.name ?? t('name');
}

/** The site's logo: the deployment's own, or three blocks with one being plugged in. */
export function BrandMark({ size = 28 }: { size?: number }) {
  const { brand } = useSite();
  if (brand?.logo !== undefined) return <img className={styles.logo} src={brand.logo} height={size} alt="" />;
  return (
    <svg
      className={styles.mark}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      aria-hidden="true"
      focusable="false"
    >
      <rect width="32" height="32" rx="9" className={styles.ground} />
      <path
        className={styles.blocks}
        d="M8 9.5A1.5 1.5 0 0 1 9.5 8h4A1.5 1.5 0 0 1 15 9.5v4a1.5 1.5 0 0 1-1.5 1.5h-4A1.5 1.5 0 0 1 8 13.5v-4ZM8 18.5A1.5 1.5 0 0 1 9.5 17h4a1.5 1.5 0 0 1 1.5 1.5v4a1.5 1.5 0 0 1-1.5 1.5h-4A1.5 1.5 0 0 1 8 22.5v-4ZM17 18.5a1.5 1.5 0 0 1 1.5-1.5h4a1.5 1.5 0 0 1 1.5 1.5v4a1.5 1.5 0 0 1-1.5 1.5h-4a1.5 1.5 0 0 1-1.5-1.5v-4Z"
      />
      <circle className={styles.plug} cx="20.5" cy="11.5" r="3.9" />
    </svg>
  );
}
