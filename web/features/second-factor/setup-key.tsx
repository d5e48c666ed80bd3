import { useTranslations } from 'use-intl';
import type { DataFor } from '../../api/client.ts';
import { CopyButton } from '../../ui/copy/copy-button.tsx';
import { QrCode } from './qr-code.tsx';
import styles from './second-factor.module.css';

const GROUP = /.{1,4}/g;

/** What an authenticator app is set up with: a picture to scan, and the same to be typed. */
export function SetupKey({ setUp: { secret, address } }: { setUp: DataFor<'beginSecondFactor'> }) {
  const t = useTranslations('secondFactor');
  return (
    <div className={styles.setUp}>
      <QrCode text={address} label={t('qr')} />
      <div className={styles.words}>
        <p>{t('scan')}</p>
        <p className={styles.small}>{t('key')}</p>
        <code className={styles.key} translate="no">
          {secret.match(GROUP)?.join(' ')}
        </code>
        <CopyButton
          className={styles.copy}
          text={() => secret}
          labels={{ idle: t('copy'), copied: t('copied'), failed: t('copy_failed') }}
        />
      </div>
    </div>
  );
}
