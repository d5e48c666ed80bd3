import { useTranslations } from 'use-intl';
import type { QrCode } from '../../../../shared/entities/site.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import styles from './qr-codes-screen.module.css';

type Props = { code: QrCode; onEdit: () => void; onDelete: () => void };

export function QrCodeCard({ code, onEdit, onDelete }: Props) {
  const t = useTranslations('qrCodes');
  const { name, img_url, is_contact } = code;
  return (
    <li className={styles.card}>
      <img className={styles.picture} src={img_url} alt={t('picture_of', { name })} />
      <p className={styles.name}>{name}</p>
      <div className={styles.mark}>{is_contact && <Badge tone="positive">{t('is_contact')}</Badge>}</div>
      <div className={styles.actions}>
        <Button size="s" onClick={onEdit} aria-label={t('edit_named', { name })}>
          {t('edit')}
        </Button>
        <Button size="s" onClick={onDelete} aria-label={t('delete_named', { name })}>
          {t('delete')}
        </Button>
      </div>
    </li>
  );
}
