import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { AUDIT_PASSED } from '../../../shared/constants.ts';
import type { Installation, PluginVersion } from '../../../shared/entities/plugin.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useOperation } from '../../api/use-operation.ts';
import { useHostWords } from '../../features/plugins/host-words.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { Select } from '../../ui/select/select.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';

type Props = {
  plugin: { plugin_key: string; name: string };
  installation: Pick<Installation, 'version' | 'hold'>;
  onClose: () => void;
};

/** Pins an installed plugin to one of its versions. */
export function PinVersion({ plugin: { plugin_key, name }, installation, onClose }: Props) {
  const t = useTranslations('myPlugins');
  const texts = useTranslations('installation');
  const plugin = useTranslations('plugin');
  const labelOf = useVersionLabel();
  const history = useQuery(queryOptionsOf('listVersions', { plugin_key }, { staleTime: 0 }));
  const [chosen, setChosen] = useState(installation.hold?.version ?? installation.version);
  const pin = useOperation(
    'holdUpdates',
    (version: string) => ({ plugin_key, hold: 'pinned' as const, version }),
    {
      done: texts('hold_pinned'),
      failed: texts('hold_failed'),
      errorMessages: {
        CONFLICT: t('pin_asks_more'),
        VERSION_WITHDRAWN: t('pin_gone'),
        VERSION_NOT_FOUND: t('pin_gone'),
      },
      onSuccess: onClose,
    },
  );
  const versions = history.data?.version_list.filter(isPinnable) ?? [];
  const isChosen = versions.some(({ version }) => version === chosen);
  return (
    <ConfirmDialog
      open
      title={t('pin_title', { name })}
      confirmLabel={t('pin')}
      busy={pin.isPending}
      error={pin.failure}
      onConfirm={() => isChosen && pin.mutate(chosen)}
      onClose={onClose}
    >
      <p>{t('pin_text')}</p>
      {history.isPending && <Skeleton shape="block" />}
      {history.error && (
        <QueryError error={history.error} busy={history.isFetching} onRetry={() => void history.refetch()} />
      )}
      {history.data && (
        <Select
          label={plugin('version')}
          value={isChosen ? chosen : ''}
          onChange={setChosen}
          options={versions.map((version) => ({ value: version.version, label: labelOf(version) }))}
        />
      )}
    </ConfirmDialog>
  );
}

/** Versions that may be installed: approved, shown and not withdrawn. */
function isPinnable({ audit_status, is_hidden, withdrawal }: PluginVersion): boolean {
  return audit_status === AUDIT_PASSED && !is_hidden && !withdrawal;
}

/** A version with its date and the design tools that it works in. */
function useVersionLabel(): (version: PluginVersion) => string {
  const format = useFormatter();
  const hostWords = useHostWords();
  return ({ version, created_at, hosts = [] }) => {
    const date = created_at && format.dateTime(new Date(created_at), { dateStyle: 'medium' });
    return [version, date, ...hostWords(hosts)].filter(Boolean).join(' · ');
  };
}
