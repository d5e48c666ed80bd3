import { useQuery } from '@tanstack/react-query';
import QrCodeIcon from 'lucide-react/icons/qr-code';
import { Controller, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../shared/constants.ts';
import type { QrCode } from '../../../shared/entities/site.ts';
import { isVisible } from '../../../shared/visible-text.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Checkbox } from '../../ui/checkbox/checkbox.tsx';
import { FormTextField } from '../../ui/form-fields.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { PagedList } from '../paged-list.tsx';
import { DeleteDialog, EditDialog } from './frame/edit-dialogs.tsx';
import { ItemActions, ItemsHeader, useItemTask } from './frame/item-list.tsx';
import { PictureField } from './frame/picture-field.tsx';
import styles from './qr-codes-screen.module.css';

/** QR codes for users, such as the one of the feedback group. */
export function QrCodesScreen() {
  const t = useTranslations('qrCodes');
  const query = useQuery(queryOptionsOf('listQrCodes', {}));
  const codes = query.data?.qr_code_list ?? [];
  const { edited, deleted, add, edit, remove, close } = useItemTask<QrCode>();
  return (
    <>
      <ItemsHeader texts="qrCodes" onAdd={add} />
      <PagedList
        query={query}
        isEmpty={codes.length === 0}
        empty={<Notice icon={<QrCodeIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <ul className={styles.grid} aria-label={t('title')}>
          {codes.map((code) => (
            <li key={code.id} className={styles.card}>
              <img className={styles.picture} src={code.img_url} alt={t('picture_of', { name: code.name })} />
              <p className={styles.name}>{code.name}</p>
              <div className={styles.mark}>
                {code.is_contact && <Badge tone="positive">{t('is_contact')}</Badge>}
              </div>
              <div className={styles.actions}>
                <ItemActions name={code.name} onEdit={() => edit(code)} onDelete={() => remove(code)} />
              </div>
            </li>
          ))}
        </ul>
      </PagedList>
      {edited && <EditQrCode code={edited.item} onClose={close} />}
      {deleted && (
        <DeleteDialog
          texts="qrCodes"
          name={deleted.name}
          operation="deleteQrCode"
          payload={{ id: deleted.id }}
          onClose={close}
        >
          {t(deleted.is_contact ? 'delete_contact_text' : 'delete_text')}
        </DeleteDialog>
      )}
    </>
  );
}

type Values = { name: string; picture: File | null; isContact: boolean };

function EditQrCode({ code, onClose }: { code: QrCode | undefined; onClose: () => void }) {
  const t = useTranslations('qrCodes');
  const common = useTranslations('common');
  const form = useForm<Values>({
    defaultValues: { name: code?.name ?? '', picture: null, isContact: code?.is_contact ?? false },
  });
  const { control } = form;
  return (
    <EditDialog
      title={t(code ? 'edit_title' : 'add_title')}
      form={form}
      operation="saveQrCode"
      payload={({ name, picture, isContact }) => ({
        ...(code && { id: code.id }),
        name: name.trim(),
        is_contact: isContact,
        ...(picture && { picture }),
      })}
      picture="picture"
      onClose={onClose}
    >
      <FormTextField
        control={control}
        name="name"
        check={(name) => (!isVisible(name) ? t('name_missing') : undefined)}
        label={t('name')}
        maxLength={TEXT_LIMITS.name}
      />
      <PictureField
        control={control}
        name="picture"
        label={common('picture')}
        stored={code?.img_url ?? null}
        missing={common('picture_missing')}
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
    </EditDialog>
  );
}
