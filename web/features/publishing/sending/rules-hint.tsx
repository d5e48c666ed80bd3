import { useTranslations } from 'use-intl';
import type { PublishRules } from '../../../../shared/entities/review.ts';
import { InfoIcon } from '../../../ui/icon/sign-icons.tsx';
import { useBytesText } from '../fields/use-bytes-text.ts';
import styles from './rules-hint.module.css';
import { nearLimit, nearQuota } from './rules-used.ts';

/** What is left of a limit, once most of it is used. */
export function RulesHint({ rules }: { rules: PublishRules | undefined }) {
  const t = useTranslations('publish');
  const bytes = useBytesText();
  if (!rules) return null;
  const limit = nearLimit(rules);
  const isSpaceShort = nearQuota(rules);
  if (!limit && !isSpaceShort) return null;
  return (
    <div className={styles.hint}>
      <InfoIcon size={18} />
      <div>
        {limit && <p>{t(`limit_${limit.window}`, { left: limit.left })}</p>}
        {isSpaceShort && (
          <p>{t('quota_used', { used: bytes(rules.used_bytes), quota: bytes(rules.quota_bytes) })}</p>
        )}
      </div>
    </div>
  );
}
