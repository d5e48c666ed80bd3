import { type ReactNode, useId } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { Operation } from '../../../../shared/contract.ts';
import type { ErrorCode } from '../../../../shared/errors.ts';
import type { DataFor } from '../../../api/client.ts';
import type { Refusal } from '../../../api/use-failure.ts';
import { type PayloadOf, useOperation } from '../../../api/use-operation.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import styles from './edit-dialogs.module.css';
import { usePictureTexts } from './picture-field.tsx';

/** Groups of texts about something that administrators add, edit, hide, sort and delete. */
export type ItemTexts =
  | 'bannerAdmin'
  | 'collectionAdmin'
  | 'featuredAdmin'
  | 'helpAdmin'
  | 'kits'
  | 'markAdmin'
  | 'qrCodes'
  | 'tagAdmin';

type EditProps<V extends FieldValues, O extends Operation> = {
  title: string;
  /** `danger` for actions that can't be undone. */
  tone?: 'normal' | 'danger';
  /** "Save" by default. */
  confirmLabel?: string | undefined;
  /** "Saved" by default. */
  doneText?: string | undefined;
  /** A general text by default. */
  failedText?: string;
  form: UseFormReturn<V>;
  operation: O;
  payload: (values: V) => PayloadOf<O>;
  /** Errors with a text of their own, by their codes. */
  errorMessages?: Readonly<Partial<Record<ErrorCode, Refusal<V>>>>;
  /** The picture field, for a rejected picture. */
  picture?: FieldPath<V>;
  /** False while the options are loading. */
  isReady?: boolean;
  onSaved?: (data: DataFor<O>) => void;
  onClose: () => void;
  children: ReactNode;
};

/** A form in a dialog that closes after saving; errors are shown at their fields. */
export function EditDialog<V extends FieldValues, O extends Operation>({
  title,
  tone = 'normal',
  confirmLabel,
  doneText,
  failedText,
  form: { formState, handleSubmit, setError },
  operation,
  payload,
  errorMessages = {},
  picture,
  isReady = true,
  onSaved,
  onClose,
  children,
}: EditProps<V, O>) {
  const t = useTranslations('common');
  const id = useId();
  const pictureTexts = usePictureTexts();
  const { mutate, isPending } = useOperation(operation, payload, {
    keepsDataOnError: true,
    done: doneText ?? t('saved'),
    failsIn: { setError },
    failed: failedText ?? t('failed'),
    errorMessages: ({ reason }) => {
      const pictureText = picture && pictureTexts[reason ?? ''];
      return pictureText ? { at: picture, text: pictureText } : reason && errorMessages[reason];
    },
  });
  const onSuccess = (data: DataFor<O>): void => {
    onSaved?.(data);
    onClose();
  };
  const submit = handleSubmit((values) => mutate(values, { onSuccess }));
  return (
    <ConfirmDialog
      open
      title={title}
      tone={tone}
      confirmLabel={confirmLabel ?? t('save')}
      busy={isPending}
      isReady={isReady}
      error={formState.errors.root?.message}
      isDirty={formState.isDirty}
      form={id}
      onClose={onClose}
    >
      <form id={id} noValidate className={styles.form} onSubmit={(event) => void submit(event)}>
        {children}
      </form>
    </ConfirmDialog>
  );
}

type DeleteProps<O extends Operation> = ({ name: string } | { /** Of what has no name. */ title: string }) & {
  texts: ItemTexts | 'manage';
  operation: O;
  payload: PayloadOf<O>;
  /** Error code of an item that came into use since the list loaded, and its text. */
  inUse?: { reason: ErrorCode; text: string };
  onClose: () => void;
  children: ReactNode;
};

/** Confirms and deletes an item, and reports the result. */
export function DeleteDialog<O extends Operation>({
  texts,
  operation,
  payload,
  inUse,
  onClose,
  children,
  ...thing
}: DeleteProps<O>) {
  const t = useTranslations();
  const removal = useOperation(operation, () => payload, {
    done: t('common.deleted'),
    failed: t('common.failed'),
    errorMessages: inUse && { [inUse.reason]: inUse.text },
  });
  return (
    <ConfirmDialog
      open
      title={'title' in thing ? thing.title : t(`${texts}.delete_title`, { name: thing.name })}
      confirmLabel={t('common.delete')}
      tone="danger"
      busy={removal.isPending}
      error={removal.failure}
      onConfirm={() => removal.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
}
