import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../shared/constants.ts';
import type { DataFor } from '../../api/client.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { Select } from '../../ui/select/select.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useMakeToken } from './use-tokens.ts';

/** A plugin a token can be made for alone. */
export type TokenPlugin = { plugin_key: string; name: string };

type TokenFormProps = {
  plugins: readonly TokenPlugin[];
  onMade: (made: DataFor<'createPublishToken'>) => void;
  onClose: () => void;
};

const ALL = '';
const DAYS = ['30', '90', '180', '365'] as const;

/** Asks what a new token is called, what it is good for and for how long. */
export function TokenForm({ plugins, onMade, onClose }: TokenFormProps) {
  const t = useTranslations('publishToken');
  const make = useMakeToken();
  const [name, setName] = useState('');
  const [scope, setScope] = useState(ALL);
  const [days, setDays] = useState<(typeof DAYS)[number]>('90');
  const [isMissing, setMissing] = useState(false);
  const isLong = [...name].length > TEXT_LIMITS.name;
  const submit = (): void => {
    const isEmpty = name.trim() === '';
    setMissing(isEmpty);
    if (isEmpty || isLong || make.isPending) return;
    const payload = {
      name: name.trim(),
      days: Number(days),
      ...(scope === ALL ? {} : { plugin_key: scope }),
    };
    make.mutate(payload, { onSuccess: onMade });
  };
  const wrong = isMissing
    ? t('name_missing')
    : isLong
      ? t('name_long', { limit: TEXT_LIMITS.name })
      : undefined;
  return (
    <ConfirmDialog
      open
      title={t('make')}
      confirmLabel={t('submit')}
      cancelLabel={t('cancel')}
      busy={make.isPending}
      error={make.error ? t(make.error.reason === 'TOKEN_LIMIT_REACHED' ? 'limit' : 'failed') : undefined}
      onConfirm={submit}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        hint={t('name_hint')}
        error={wrong}
        value={name}
        counted={TEXT_LIMITS.name}
        autoComplete="off"
        onValueChange={setName}
        onEnter={submit}
      />
      <Select
        label={t('scope')}
        value={scope}
        onChange={setScope}
        options={[
          { value: ALL, label: t('scope_all') },
          ...plugins.map((plugin) => ({
            value: plugin.plugin_key,
            label: t('scope_one', { name: plugin.name }),
          })),
        ]}
      />
      <Select
        label={t('expiry')}
        value={days}
        onChange={setDays}
        options={DAYS.map((count) => ({ value: count, label: t('days', { count: Number(count) }) }))}
      />
    </ConfirmDialog>
  );
}
