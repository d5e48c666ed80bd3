import { useTranslations } from 'use-intl';
import { CheckIcon } from '../../ui/icon/action-icons.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import styles from './installed-badge.module.css';

/** Lies on the cover of a plugin that the visitor has installed. */
export function InstalledBadge() {
  const t = useTranslations('plugin');
  return (
    <span className={styles.badge}>
      <CheckIcon size={14} />
      <VisuallyHidden>{t('installed')}</VisuallyHidden>
    </span>
  );
}
