import BadgeCheckIcon from 'lucide-react/icons/badge-check';
import { useTranslations } from 'use-intl';
import { Tooltip } from '../../ui/tooltip/tooltip.tsx';
import styles from './verified-mark.module.css';

type Props = {
  /** `verified` of a publisher: the proved domain, or empty by decision of an administrator. */
  verified: string;
  /** Pixels. */
  size?: number;
};

/** The mark of a verified publisher, beside their name. */
export function VerifiedMark({ verified, size = 15 }: Props) {
  const t = useTranslations('plugin');
  const words = verified === '' ? t('verified_by_hand') : t('verified', { domain: verified });
  return (
    <Tooltip text={words}>
      <BadgeCheckIcon size={size} className={styles.mark} role="img" aria-label={words} />
    </Tooltip>
  );
}
