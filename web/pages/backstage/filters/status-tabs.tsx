import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { STATUS_NAMES, type StatusName } from './list-filter.ts';

type Props = {
  value: StatusName;
  onChange: (status: StatusName) => void;
  counts: Partial<Record<StatusName, ReactNode>>;
  panel: string;
};

/** All, Unreviewed, Approved, Unapproved (specification section 4). */
export function StatusTabs({ value, onChange, counts, panel }: Props) {
  const t = useTranslations('manage');
  const status = useTranslations('status');
  return (
    <Tabs
      label={t('statuses')}
      value={value}
      onChange={onChange}
      tabs={STATUS_NAMES.map((id) => ({ id, label: status(id), count: counts[id] }))}
      panel={panel}
    />
  );
}
