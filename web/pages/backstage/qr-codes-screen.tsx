import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../shared/constants.ts';
import type { QrCode } from '../../../shared/entities/site.ts';
import { call } from '../../api/client.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Checkbox } from '../../ui/checkbox/checkbox.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { FormTextField } from '../../ui/form-fields.tsx';
import { showProblems } from '../../ui/form-problems.ts';
import { QrIcon } from '../../ui/icon/backstage-icons.tsx';
import { PlusIcon } from '../../ui/icon/sign-icons.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { PageHeader } from '../../ui/page-header/page-header.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { PagedList } from '../paged-list.tsx';
import { DeleteDialog } from './frame/delete-dialog.tsx';
import { PictureField, usePictureProblem } from './frame/picture-field.tsx';
import styles from './qr-codes-screen.module.css';

type Task = { kind: 'add' } | { kind: 'edit' | 'delete'; code: QrCode };

/** Pictures that people scan; one of them is how they join the feedback group. */
export function QrCodesScreen() {
  const t = useTranslations('qrCodes');
  const queryClient = useQueryClient();
  const [task, setTask] = useState<Task>();
  const query = useQuery(queryOptionsOf('listQrCodes', {}));
  const codes = query.data?.qr_code_list ?? [];
  const close = (): void => setTask(undefined);
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <Button variant="primary" onClick={() => setTask({ kind: 'add' })}>
            <PlusIcon />
            {t('add')}
          </Button>
        }
      />
      <PagedList
        query={query}
        isEmpty={codes.length === 0}
        empty={<Notice icon={<QrIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <ul className={styles.grid} aria-label={t('title')}>
          {codes.map((code) => (
            <QrCodeCard
              key={code.id}
              code={code}
              onEdit={() => setTask({ kind: 'edit', code })}
              onDelete={() => setTask({ kind: 'delete', code })}
            />
          ))}
        </ul>
      </PagedList>
      {task && task.kind !== 'delete' && (
        <EditQrCode code={task.kind === 'edit' ? task.code : undefined} onClose={close} />
      )}
      {task?.kind === 'delete' && (
        <DeleteDialog
          texts="qrCodes"
          name={task.code.name}
          remove={() => call('deleteQrCode', { id: task.code.id })}
          refresh={() => queryClient.invalidateQueries({ queryKey: ['listQrCodes'] })}
          onClose={close}
        >
          {t(task.code.is_contact ? 'delete_contact_text' : 'delete_text')}
        </DeleteDialog>
      )}
    </>
  );
}

type Props = { code: QrCode; onEdit: () => void; onDelete: () => void };

function QrCodeCard({ code, onEdit, onDelete }: Props) {
  const t = useTranslations('qrCodes');
  const { name, img_url, is_contact } = code;
  return (
    <li className={styles.card}>
      <img className={styles.picture} src={img_url} alt={t('picture_of', { name })} />
      <p className={styles.name}>{name}</p>
      <div className={styles.mark}>{is_contact && <Badge tone="positive">{t('is_contact')}</Badge>}</div>
      <div className={styles.actions}>
        <Button size="s" onClick={onEdit} aria-label={t('edit_named', { name })}>
          {t('edit')}
        </Button>
        <Button size="s" onClick={onDelete} aria-label={t('delete_named', { name })}>
          {t('delete')}
        </Button>
      </div>
    </li>
  );
}

type Values = { name: string; picture: File | null; isContact: boolean };

/** Adds a QR code, or changes one. */
function EditQrCode({ code, onClose }: { code: QrCode | undefined; onClose: () => void }) {
  const t = useTranslations('qrCodes');
  const pictureProblem = usePictureProblem();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { control, formState, handleSubmit, setError } = useForm<Values>({
    defaultValues: { name: code?.name ?? '', picture: null, isContact: code?.is_contact ?? false },
  });
  const save = useMutation({
    mutationFn: ({ name, picture, isContact }: Values) =>
      call('saveQrCode', {
        ...(code && { id: code.id }),
        name: name.trim(),
        is_contact: isContact,
        ...(picture && { picture }),
      }),
    onSuccess: async () => {
      toast({ kind: 'success', text: t('saved') });
      await queryClient.invalidateQueries({ queryKey: ['listQrCodes'] });
      onClose();
    },
    onError: (error) => {
      const text = pictureProblem(error);
      showProblems(setError, [text ? { field: 'picture', text } : { field: 'root', text: t('failed') }]);
    },
  });
  const submit = (): void => void handleSubmit((values) => save.mutate(values))();
  return (
    <ConfirmDialog
      open
      title={t(code ? 'edit_title' : 'add_title')}
      confirmLabel={t('save')}
      cancelLabel={t('cancel')}
      busy={save.isPending}
      error={formState.errors.root?.message}
      onConfirm={submit}
      onClose={onClose}
    >
      <div className={styles.form}>
        <FormTextField
          control={control}
          name="name"
          check={(name) => (name.trim() === '' ? t('name_missing') : undefined)}
          label={t('name')}
          maxLength={TEXT_LIMITS.name}
          onEnter={submit}
        />
        <PictureField
          control={control}
          name="picture"
          label={t('picture')}
          kept={code?.img_url ?? null}
          missing={t('picture_missing')}
        />
        <Controller
          control={control}
          name="isContact"
          render={({ field }) => (
            <Checkbox
              label={t('contact')}
              hint={t('contact_hint')}
              checked={field.value}
              onChange={field.onChange}
            />
          )}
        />
      </div>
    </ConfirmDialog>
  );
}
