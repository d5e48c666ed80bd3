import { useTranslations } from 'use-intl';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import { Table } from '../../../ui/table/table.tsx';
import styles from './manage.module.css';
import { type Asked, ManagedRow } from './managed-row.tsx';

type Props = { plugins: readonly ManagedPlugin[]; busy: boolean; onAsk: (asked: Asked) => void };

export function ManagedTable({ plugins, busy, onAsk }: Props) {
  const t = useTranslations('manage');
  return (
    <Table caption={t('title')} hideCaption busy={busy} width="wide">
      <thead>
        <tr>
          <th scope="col">{t('plugin')}</th>
          <th scope="col">{t('status')}</th>
          <th scope="col" className={styles.number}>
            {t('installs')}
          </th>
          <th scope="col" className={styles.number}>
            {t('likes')}
          </th>
          <th scope="col" className={styles.number}>
            {t('views')}
          </th>
          <th scope="col" className={styles.number}>
            {t('reports')}
          </th>
          <th scope="col">{t('recommend')}</th>
          <th scope="col">{t('silent')}</th>
          <th scope="col">{t('actions')}</th>
        </tr>
      </thead>
      <tbody>
        {plugins.map((managed) => (
          <ManagedRow key={managed.plugin.plugin_key} managed={managed} onAsk={onAsk} />
        ))}
      </tbody>
    </Table>
  );
}
