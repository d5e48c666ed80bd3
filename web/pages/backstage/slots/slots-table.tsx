import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { ResourceSlot } from '../../../../shared/entities/site.ts';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';
import { Badge, type BadgeTone } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { Moment } from '../frame/moment.tsx';
import { knownFaults } from './slot-draft.ts';
import styles from './slots-screen.module.css';
import { useDisableSlot } from './use-disable-slot.ts';

const TONES: Readonly<Record<ResourceSlot['status'], BadgeTone>> = {
  active: 'positive',
  inactive: 'warning',
  expired: 'neutral',
  invalid: 'negative',
};

type Props = { slots: readonly ResourceSlot[]; onEdit: (slot: ResourceSlot) => void };

/** Resource slots with what they are at present and why, and the ways to change, invalidate or restore them. */
export function SlotsTable({ slots, onEdit }: Props) {
  const t = useTranslations('slots');
  return (
    <Table caption={t('title')} hideCaption width="wide">
      <thead>
        <tr>
          <th scope="col">{t('plugin')}</th>
          <th scope="col">{t('link')}</th>
          <th scope="col">{t('duration')}</th>
          <th scope="col">{t('status')}</th>
          <th scope="col">{t('action')}</th>
        </tr>
      </thead>
      <tbody>
        {slots.map((slot) => (
          <Row key={slot.id} slot={slot} onEdit={() => onEdit(slot)} />
        ))}
      </tbody>
    </Table>
  );
}

function Row({ slot, onEdit }: { slot: ResourceSlot; onEdit: () => void }) {
  const t = useTranslations('slots');
  const disable = useDisableSlot();
  const { id, plugin_key, name, link, start_at, end_at, is_disabled, status } = slot;
  const faults = knownFaults(slot);
  return (
    <tr>
      <th scope="row">
        {faults.includes('plugin_deleted') ? (
          <span className={styles.gone}>{name}</span>
        ) : (
          <Link className={styles.name} to={pluginPath(plugin_key)}>
            {name}
          </Link>
        )}
      </th>
      <td className={styles.link} data-label={t('link')}>
        {link}
      </td>
      <td data-label={t('duration')}>
        <span className={styles.times}>
          <Moment at={start_at} />
          <span className={styles.until}>
            → <Moment at={end_at} />
          </span>
        </span>
      </td>
      <td data-label={t('status')}>
        <Badge tone={TONES[status]}>{t(`status_${status}`)}</Badge>
        {faults.map((fault) => (
          <p key={fault} className={styles.fault}>
            {t(`fault_${fault}`)}
          </p>
        ))}
      </td>
      <td className={styles.action}>
        <Button size="s" aria-label={t('edit_named', { name })} onClick={onEdit}>
          {t('edit')}
        </Button>
        <Button
          size="s"
          busy={disable.isPending}
          aria-label={t(is_disabled ? 'restore_named' : 'invalidate_named', { name })}
          onClick={() => disable.mutate({ id, is_disabled: !is_disabled })}
        >
          {t(is_disabled ? 'restore' : 'invalidate')}
        </Button>
      </td>
    </tr>
  );
}
