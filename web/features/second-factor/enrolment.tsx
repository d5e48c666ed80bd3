import DownloadIcon from 'lucide-react/icons/download';
import { encode } from 'uqr';
import { useTranslations } from 'use-intl';
import type { DataFor } from '../../api/client.ts';
import { Button } from '../../ui/button/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { ShownOnce } from '../../ui/shown-once/shown-once.tsx';
import styles from './second-factor.module.css';

const GROUP = /.{1,4}/g;

/** The secret of an authenticator app: as a QR code and as text. */
export function SetupKey({ setUp: { secret, address } }: { setUp: DataFor<'beginSecondFactor'> }) {
  const t = useTranslations('secondFactor');
  const common = useTranslations('common');
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
          labels={{ idle: t('copy'), copied: common('copied'), failed: common('copy_failed') }}
        />
      </div>
    </div>
  );
}

/** A QR code, black on white in any colour scheme: not every camera reads inverted ones. */
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

type RecoveryCodesProps = { codes: readonly string[]; doneLabel: string; busy?: boolean; onDone: () => void };

/** Recovery codes, shown once, with buttons to save them. */
export function RecoveryCodes({ codes, doneLabel, busy = false, onDone }: RecoveryCodesProps) {
  const t = useTranslations('secondFactor');
  const common = useTranslations('common');
  const text = (): string => `${codes.join('\n')}\n`;
  const download = (): void =>
    saveFile(new Blob([`${location.host}\n\n${text()}`], { type: 'text/plain' }), 'recovery-codes.txt');
  return (
    <ShownOnce title={t('codes_title')} level={3}>
      <p>{t('codes_text')}</p>
      <ol className={styles.list} translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={styles.actions}>
        <CopyButton
          size="m"
          text={text}
          labels={{ idle: t('codes_copy'), copied: common('copied'), failed: common('copy_failed') }}
        />
        <Button variant="outline" onClick={download}>
          <DownloadIcon size={14} />
          {t('codes_download')}
        </Button>
        <Button variant="primary" busy={busy} onClick={onDone}>
          {doneLabel}
        </Button>
      </div>
    </ShownOnce>
  );
}
