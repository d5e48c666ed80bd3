import { useInfiniteQuery } from '@tanstack/react-query';
import CalendarIcon from 'lucide-react/icons/calendar';
import PlusIcon from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import type { ResourceSlot } from '../../../../shared/entities/site.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';
import { Lazy } from '../../../loading/lazy.tsx';
import { lazyWithRetry } from '../../../loading/lazy-with-retry.ts';
import { Badge, type BadgeTone } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { PagedList } from '../../paged-list.tsx';
import { PluginThumb } from '../../plugin-thumb.tsx';
import { DateTime } from '../frame/date-time.tsx';
import { knownInvalidReasons, useTimeZone } from './slot-values.ts';
import styles from './slots-screen.module.css';

const editSlot = lazyWithRetry(async () => (await import('./edit-slot.tsx')).EditSlot);

/** Plugins featured on the home page for a time (R 7.7). */
export function SlotsScreen() {
  const t = useTranslations('slots');
  const zone = useTimeZone();
  const [edited, setEdited] = useState<ResourceSlot | 'new'>();
  const query = useInfiniteQuery(infiniteQueryOptionsOf('listSlots', { limit: BACKSTAGE_PAGE_SIZE }));
  const slots = query.data?.pages.flatMap((page) => page.slot_list) ?? [];
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <Button variant="primary" onClick={() => setEdited('new')}>
            <PlusIcon />
            {t('add')}
          </Button>
        }
      />
      <p className={styles.zone}>{t('zone', { zone })}</p>
      <PagedList
        query={query}
        isEmpty={slots.length === 0}
        empty={<Notice icon={<CalendarIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <SlotsTable slots={slots} onEdit={setEdited} />
      </PagedList>
      {edited && (
        <Lazy part={editSlot} onFailed={() => setEdited(undefined)}>
          {(EditSlot) => (
            <EditSlot slot={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
          )}
        </Lazy>
      )}
    </>
  );
}

const TONES: Readonly<Record<ResourceSlot['status'], BadgeTone>> = {
  active: 'positive',
  inactive: 'info',
  expired: 'neutral',
  invalid: 'negative',
};

type Props = { slots: readonly ResourceSlot[]; onEdit: (slot: ResourceSlot) => void };

/** Resource slots with their current state and its reason, and actions to edit, invalidate or restore them. */
function SlotsTable({ slots, onEdit }: Props) {
  const t = useTranslations('slots');
  return (
    <Table caption={t('title')} hideCaption hasActions>
      <thead>
        <tr>
          <th scope="col">{t('plugin')}</th>
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
  const common = useTranslations('common');
  const disable = useDisableSlot();
  const { id, plugin_key, name, link, start_at, end_at, is_disabled, status } = slot;
  const faults = knownInvalidReasons(slot);
  return (
    <tr>
      <th scope="row">
        <span className={styles.plugin}>
          <PluginThumb plugin={slot} />
          <span>
            {faults.includes('plugin_deleted') ? (
              <span className={styles.gone}>{name}</span>
            ) : (
              <Link className={styles.name} to={pluginPath(plugin_key)}>
                {name}
              </Link>
            )}
            <span className={styles.link}>{link}</span>
          </span>
        </span>
      </th>
      <td data-label={t('duration')}>
        <span className={styles.times}>
          <DateTime at={start_at} />
          <span className={styles.until}>
            → <DateTime at={end_at} />
          </span>
        </span>
      </td>
      <td data-label={t('status')}>
        <Badge tone={TONES[status]} dot>
          {t(`status_${status}`)}
        </Badge>
        {faults.map((fault) => (
          <p key={fault} className={styles.fault}>
            {t(`fault_${fault}`)}
          </p>
        ))}
      </td>
      <td className={styles.action}>
        <Button size="s" aria-label={t('edit_named', { name })} onClick={onEdit}>
          {common('edit')}
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

/** Invalidates or restores a resource slot; each undoes the other. */
function useDisableSlot() {
  const t = useTranslations('slots');
  const common = useTranslations('common');
  return useOperation('disableSlot', (change: { id: number; is_disabled: boolean }) => change, {
    failsIn: 'toast',
    failed: common('failed'),
    errorMessages: { SLOT_PLUGIN_GONE: t('plugin_gone') },
    done: (slot, { is_disabled }) => {
      if (is_disabled) return t('invalidated');
      const reason = knownInvalidReasons(slot)
        .map((fault) => t(`fault_${fault}`))
        .join(' ');
      return reason === '' ? t('restored') : t('restored_invalid', { reason });
    },
  });
}
