import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../shared/constants.ts';
import type { TypedProof } from '../../../shared/entities/sign-in.ts';
import { isVisible } from '../../../shared/visible-text.ts';
import type { DataFor } from '../../api/client.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { putNewerData } from '../../api/query-client.ts';
import { useOperation } from '../../api/use-operation.ts';
import { FormSelect, FormTextField } from '../../ui/form-fields.tsx';
import { ProofDialog, useOwnProof } from '../second-factor/index.ts';

/** A plugin that a token can be limited to. */
export type TokenPlugin = { plugin_key: string; name: string };

type TokenFormProps = {
  plugins: readonly TokenPlugin[];
  onCreated: (created: DataFor<'createPublishToken'>) => void;
  onClose: () => void;
};

const ALL = '';
const DAYS = ['30', '90', '180', '365'];

type Values = { name: string; scope: string; days: string };

export function TokenForm({ plugins, onCreated, onClose }: TokenFormProps) {
  const t = useTranslations('publishToken');
  const common = useTranslations('common');
  const { control, handleSubmit, getValues } = useForm<Values>({
    defaultValues: { name: '', scope: ALL, days: '90' },
  });
  const create = useCreateToken(getValues, onCreated);
  const check = (name: string): string | undefined => {
    if (!isVisible(name)) return t('name_missing');
    return [...name].length > TEXT_LIMITS.name ? common('too_long', { limit: TEXT_LIMITS.name }) : undefined;
  };
  return (
    <ProofDialog
      proof={useOwnProof()}
      attempt={create}
      title={t('make')}
      confirmLabel={t('submit')}
      submit={(send) => void handleSubmit(send)()}
      onClose={onClose}
    >
      <FormTextField
        control={control}
        name="name"
        check={check}
        label={t('name')}
        hint={t('name_hint')}
        counted={TEXT_LIMITS.name}
        autoComplete="off"
      />
      <FormSelect
        control={control}
        name="scope"
        label={t('scope')}
        options={[
          { value: ALL, label: t('scope_all') },
          ...plugins.map((plugin) => ({
            value: plugin.plugin_key,
            label: t('scope_one', { name: plugin.name }),
          })),
        ]}
      />
      <FormSelect
        control={control}
        name="days"
        label={t('expiry')}
        options={DAYS.map((count) => ({ value: count, label: t('days', { count: Number(count) }) }))}
      />
    </ProofDialog>
  );
}

/** Creates a token; its secret is only in the response and never cached. */
function useCreateToken(values: () => Values, onCreated: TokenFormProps['onCreated']) {
  const t = useTranslations('publishToken');
  const client = useQueryClient();
  const payloadOf = (typed: TypedProof) => {
    const { name, scope, days } = values();
    const scoped = scope === ALL ? {} : { plugin_key: scope };
    return { name: name.trim(), days: Number(days), ...scoped, ...typed };
  };
  return useOperation('createPublishToken', payloadOf, {
    failed: t('failed'),
    errorMessages: { TOKEN_LIMIT_REACHED: t('limit') },
    gcTime: 0,
    onSuccess: (created) => {
      onCreated(created);
      const { token } = created;
      return putNewerData<DataFor<'listPublishTokens'>>(
        client,
        tokensQuery().queryKey,
        (data) => data && { token_list: [token, ...data.token_list] },
      );
    },
  });
}

/** The viewer's publish tokens, newest first. */
export const tokensQuery = () => queryOptionsOf('listPublishTokens', {});
