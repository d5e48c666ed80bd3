import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { ManagedTag } from '../../../../shared/entities/backstage.ts';
import { LANGUAGES } from '../../../../shared/languages.ts';
import { TAG_CODE } from '../../../../shared/tags.ts';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { FormSelect } from '../../../ui/form-fields.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { NamesField } from './named-list.tsx';
import styles from './tags-screen.module.css';

const IS_CODE = new RegExp(TAG_CODE);

/** Lets everything that shows tags be read again. */
export function useTagsChanged(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await queryClient.invalidateQueries({ queryKey: ['listManagedTags'] });
    await queryClient.invalidateQueries({ queryKey: ['listTags'] });
  };
}

/** Adds a tag, or changes the code and names of one. */
export function EditTag({
  tag,
  name: called,
  onClose,
}: {
  tag: ManagedTag | undefined;
  name: string;
  onClose: () => void;
}) {
  const t = useTranslations('tagAdmin');
  const [code, setCode] = useState(tag?.code ?? '');
  const [name, setName] = useState(tag?.name ?? {});
  const [checked, setChecked] = useState(false);
  const toast = useToast();
  const tagsChanged = useTagsChanged();
  const save = useMutation({
    mutationFn: () => call('saveTag', { ...(tag && { id: tag.id }), code: code.trim(), name }),
    onSuccess: async () => {
      toast({ kind: 'success', text: t('saved') });
      await tagsChanged();
      onClose();
    },
  });
  const refused = isApiError(save.error) && save.error.reason === 'TAG_EXISTS' ? save.error.details : [];
  const taken = (pointer: string): string | undefined =>
    refused.some((detail) => detail.pointer === pointer) ? t('taken') : undefined;
  const isFull = isApiError(save.error) && save.error.reason === 'TAG_LIMIT_REACHED';
  const isCodeWrong = !IS_CODE.test(code.trim());
  const isNameless = LANGUAGES.every((language) => !name[language]?.trim());
  const submit = (): void => {
    setChecked(true);
    if (!isCodeWrong && !isNameless) save.mutate();
  };
  return (
    <ConfirmDialog
      open
      title={tag ? t('edit_title', { name: called }) : t('add_title')}
      confirmLabel={t('save')}
      cancelLabel={t('cancel')}
      busy={save.isPending}
      error={save.error && refused.length === 0 ? t(isFull ? 'full' : 'failed') : undefined}
      onConfirm={submit}
      onClose={onClose}
    >
      <div className={styles.form}>
        <TextField
          label={t('code')}
          hint={t('code_hint')}
          value={code}
          onValueChange={(value) => {
            setCode(value);
            save.reset();
          }}
          error={checked && isCodeWrong ? t('code_wrong') : taken('/code')}
          maxLength={TEXT_LIMITS.tag}
          autoCapitalize="none"
          spellCheck={false}
          onEnter={submit}
        />
        <NamesField
          name={name}
          onChange={(value) => {
            setName(value);
            save.reset();
          }}
          limit={TEXT_LIMITS.tag}
          errorOf={(language) =>
            checked && isNameless && language === LANGUAGES[0] ? t('nameless') : taken(`/name/${language}`)
          }
          onEnter={submit}
        />
      </div>
    </ConfirmDialog>
  );
}

/** Gives the plugins of a tag to another one, which is chosen here. */
export function MergeTag({
  tag,
  tags,
  nameOf,
  onClose,
}: {
  tag: ManagedTag;
  tags: readonly ManagedTag[];
  nameOf: (tag: ManagedTag) => string;
  onClose: () => void;
}) {
  const t = useTranslations('tagAdmin');
  const { control, handleSubmit } = useForm({ defaultValues: { into: '' } });
  const into = useWatch({ control, name: 'into' });
  const toast = useToast();
  const tagsChanged = useTagsChanged();
  const merge = useMutation({
    mutationFn: (chosen: string) => call('mergeTags', { id: tag.id, into_id: Number(chosen) }),
    onSuccess: async () => {
      toast({ kind: 'success', text: t('merged') });
      await tagsChanged();
      onClose();
    },
  });
  const target = tags.find(({ id }) => String(id) === into);
  const name = nameOf(tag);
  return (
    <ConfirmDialog
      open
      title={t('merge_title', { name })}
      confirmLabel={t('merge')}
      cancelLabel={t('cancel')}
      tone="danger"
      busy={merge.isPending}
      error={merge.error ? t('failed') : undefined}
      onConfirm={() => void handleSubmit((values) => merge.mutate(values.into))()}
      onClose={onClose}
    >
      <div className={styles.form}>
        <FormSelect
          control={control}
          name="into"
          required={t('merge_choose')}
          label={t('merge_into')}
          placeholder={t('merge_choose')}
          options={tags
            .filter(({ id }) => id !== tag.id)
            .map((other) => ({ value: String(other.id), label: nameOf(other) }))}
        />
        <p role="status">
          {target
            ? t('merge_text', { count: tag.plugin_count, name, into: nameOf(target) })
            : t('plugins', { count: tag.plugin_count })}
        </p>
      </div>
    </ConfirmDialog>
  );
}
