import { useTranslations } from 'use-intl';
import type { TrailEntry } from '../../../../shared/entities/backstage.ts';
import { Table } from '../../../ui/table/table.tsx';
import { Moment } from '../frame/moment.tsx';
import { Person } from '../frame/person.tsx';
import { actionText } from './trail-actions.ts';
import styles from './trail-screen.module.css';

type Props = { caption: string; entries: readonly TrailEntry[]; busy: boolean };

/** Entries of the audit trail, newest first. */
export function TrailTable({ caption, entries, busy }: Props) {
  const t = useTranslations('trail');
  return (
    <Table caption={caption} hideCaption busy={busy} width="wide">
      <thead>
        <tr>
          <th scope="col">{t('when')}</th>
          <th scope="col">{t('who')}</th>
          <th scope="col">{t('what')}</th>
          <th scope="col">{t('target')}</th>
          <th scope="col">{t('why')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </tbody>
    </Table>
  );
}

function Row({ entry }: { entry: TrailEntry }) {
  const t = useTranslations('trail');
  const { action, actor, created_at, detail, target_id, target_name } = entry;
  const known = actionText(action);
  const { reason, version } = detail;
  return (
    <tr>
      <td className={styles.when} data-label={t('when')}>
        <Moment at={created_at} />
      </td>
      <td data-label={t('who')}>
        <Person user={actor} />
      </td>
      <td data-label={t('what')}>{known ? t(`actions.${known}`) : action}</td>
      <td className={styles.target} data-label={t('target')}>
        {[target_name || target_id, version].filter(Boolean).join(' ')}
      </td>
      <td className={styles.detail} data-label={t('why')}>
        {reason ?? '—'}
      </td>
    </tr>
  );
}
