import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { IMAGE_BYTES_MAX, TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { QrCode } from '../../../../shared/entities/site.ts';
import { call } from '../../../api/client.ts';
import { Checkbox } from '../../../ui/checkbox/checkbox.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { PictureField } from '../frame/picture-field.tsx';
import { pictureProblem } from '../frame/picture-problem.ts';
import styles from './qr-codes-screen.module.css';

/** Adds a QR code, or changes one. */
export function EditQrCode({ code, onClose }: { code: QrCode | undefined; onClose: () => void }) {
  const t = useTranslations('qrCodes');
  const backstage = useTranslations('backstage');
  const [name, setName] = useState(code?.name ?? '');
  const [isContact, setIsContact] = useState(code?.is_contact ?? false);
  const [picture, setPicture] = useState<File | null>(null);
  const [checked, setChecked] = useState(false);
  const queryClient = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () =>
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
  });
  const missesPicture = !code && !picture;
  const submit = (): void => {
    setChecked(true);
    if (name.trim() !== '' && !missesPicture) save.mutate();
  };
  const problem = pictureProblem(save.error);
  const size = IMAGE_BYTES_MAX / 1024 / 1024;
  return (
    <ConfirmDialog
      open
      title={t(code ? 'edit_title' : 'add_title')}
      confirmLabel={t('save')}
      cancelLabel={t('cancel')}
      busy={save.isPending}
      error={save.error && !problem ? t('failed') : undefined}
      onConfirm={submit}
      onClose={onClose}
    >
      <div className={styles.form}>
        <TextField
          label={t('name')}
          value={name}
          onValueChange={setName}
          maxLength={TEXT_LIMITS.name}
          error={checked && name.trim() === '' ? t('name_missing') : undefined}
          onEnter={submit}
        />
        <PictureField
          label={t('picture')}
          kept={code?.img_url ?? null}
          chosen={picture}
          onChoose={(file) => {
            setPicture(file);
            save.reset();
          }}
          error={
            problem
              ? backstage(problem, { size })
              : checked && missesPicture
                ? t('picture_missing')
                : undefined
          }
        />
        <Checkbox label={t('contact')} hint={t('contact_hint')} checked={isContact} onChange={setIsContact} />
      </div>
    </ConfirmDialog>
  );
}
