import { useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { KIT_LIMITS } from '../../../../shared/constants.ts';
import type { KitSummary } from '../../../../shared/routes/kit.ts';
import { isVisible } from '../../../../shared/visible-text.ts';
import { FormRadioGroup, FormTextField } from '../../../ui/form-fields.tsx';
import { EditDialog } from '../frame/edit-dialogs.tsx';

type Values = { name: string; audience: 'all' | 'enterprise'; number: string; department: string };

type Props = {
  /** Absent for a new one. */
  kit: KitSummary | undefined;
  onSaved?: ((id: number) => void) | undefined;
  onClose: () => void;
};

/** Makes a kit, or changes its name and who gets it. */
export function EditKit({ kit, onSaved, onClose }: Props) {
  const t = useTranslations('kits');
  const common = useTranslations('common');
  const form = useForm<Values>({
    defaultValues: {
      name: kit?.name ?? '',
      audience: kit && kit.e_id > 0 ? 'enterprise' : 'all',
      number: kit && kit.e_id > 0 ? String(kit.e_id) : '',
      department: kit?.department ?? '',
    },
  });
  const { control } = form;
  const isOfEnterprise = useWatch({ control, name: 'audience' }) === 'enterprise';
  const tooLong = (text: string, limit: number) =>
    [...text].length > limit ? common('too_long', { limit }) : undefined;
  return (
    <EditDialog
      title={kit ? common('edit_named', { name: kit.name }) : t('add')}
      form={form}
      operation="saveKit"
      payload={({ name, audience, number, department }) => ({
        ...(kit && { id: kit.id }),
        name,
        e_id: audience === 'all' ? 0 : Number(number),
        department: audience === 'all' ? '' : department.trim(),
      })}
      errorMessages={{ KIT_LIMIT_REACHED: { at: 'name', text: t('limit', { max: KIT_LIMITS.kits }) } }}
      onSaved={({ id }) => onSaved?.(id)}
      onClose={onClose}
    >
      <FormTextField
        control={control}
        name="name"
        label={t('name')}
        hint={t('name_hint')}
        check={(name) => (isVisible(name) ? tooLong(name, KIT_LIMITS.name) : t('name_missing'))}
        counted={KIT_LIMITS.name}
        autoComplete="off"
      />
      <FormRadioGroup
        control={control}
        name="audience"
        label={t('audience')}
        options={[
          { value: 'all', label: t('audience_all') },
          { value: 'enterprise', label: t('audience_enterprise') },
        ]}
      />
      {isOfEnterprise && (
        <>
          <FormTextField
            control={control}
            name="number"
            label={t('e_id')}
            hint={t('e_id_hint')}
            check={(number) => (isNumber(number) ? undefined : t('e_id_wrong'))}
            inputMode="numeric"
            autoComplete="off"
          />
          <FormTextField
            control={control}
            name="department"
            label={t('department')}
            hint={t('department_hint')}
            check={(department) => tooLong(department, KIT_LIMITS.department)}
            autoComplete="off"
          />
        </>
      )}
    </EditDialog>
  );
}

function isNumber(text: string): boolean {
  return /^\s*[1-9]\d*\s*$/.test(text) && Number.isSafeInteger(Number(text));
}
