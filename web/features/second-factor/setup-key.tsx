import { encode } from 'uqr';
import { useTranslations } from 'use-intl';
import type { DataFor } from '../../api/client.ts';
import { CopyButton } from '../../ui/copy/copy-button.tsx';
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

/** A text as a QR code, black on white in any colour scheme: not every camera reads it the other way round. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 4 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('');
  return (
    <svg className={styles.qr} role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  );
}
