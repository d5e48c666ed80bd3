import { type ReactNode, useId } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { Operation } from '../../../../shared/contract.ts';
import type { ApiError } from '../../../api/api-error.ts';
import { type Request, useOperation } from '../../../api/use-operation.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { type FormProblem, showProblems } from '../../../ui/form-problems.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';
import styles from './edit-dialogs.module.css';
import { usePictureTexts } from './picture-field.tsx';

/** Groups of texts about something that administrators add, edit, hide, sort and delete. */
export type ItemTexts = 'bannerAdmin' | 'featuredAdmin' | 'helpAdmin' | 'markAdmin' | 'qrCodes' | 'tagAdmin';

type EditProps<V extends FieldValues, O extends Operation> = {
  texts: ItemTexts | 'slots';
  title: string;
  /** `danger` for actions that can't be undone. */
  tone?: 'normal' | 'danger';
  /** Defaults to `save` of the texts. */
  confirmLabel?: string;
  /** Defaults to `saved` of the texts. */
  doneText?: string;
  /** Defaults to `failed` of the texts. */
  failedText?: string;
  form: UseFormReturn<V>;
  save: (values: V) => Request<O>;
  /** Messages by error code and their fields; errors with several details are shown at the fields that these name. */
  refusals?: Readonly<Record<string, { at: FieldPath<V> | 'root' | readonly FieldPath<V>[]; text: string }>>;
  /** The picture field, for a rejected picture. */
  picture?: FieldPath<V>;
  /** False while the options are loading. */
  isReady?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** A form in a dialog that closes after saving; errors are shown at their fields. */
export function EditDialog<V extends FieldValues, O extends Operation>({
  texts,
  title,
  tone = 'normal',
  confirmLabel,
  doneText,
  failedText,
  form: { formState, handleSubmit, setError },
  save,
  refusals = {},
  picture,
  isReady = true,
  onClose,
  children,
}: EditProps<V, O>) {
  const t = useTranslations();
  const toast = useToast();
  const id = useId();
  const pictureTexts = usePictureTexts();
  const problemsOf = ({ reason, details }: ApiError): readonly FormProblem<V>[] => {
    const pictureText = picture && pictureTexts[reason ?? ''];
    if (pictureText) return [{ field: picture, text: pictureText }];
    const { at, text } = refusals[reason ?? ''] ?? { at: 'root', text: failedText ?? t(`${texts}.failed`) };
    if (typeof at === 'string') return [{ field: at, text }];
    const pointed = new Set(details.map(({ pointer }) => pointer.slice(1).replaceAll('/', '.')));
    return at.filter((field) => pointed.has(field)).map((field) => ({ field, text }));
  };
  const { mutate, isPending } = useOperation(save, {
    keepsDataOnError: true,
    onSuccess: () => toast({ kind: 'success', text: doneText ?? t(`${texts}.saved`) }),
    onError: (error) => showProblems(setError, problemsOf(error)),
  });
  const submit = handleSubmit((values) => mutate(values, { onSuccess: onClose }));
  return (
    <ConfirmDialog
      open
      title={title}
      tone={tone}
      confirmLabel={confirmLabel ?? t(`${texts}.save`)}
      cancelLabel={t(`${texts}.cancel`)}
      busy={isPending || !isReady}
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
  remove: () => Request<O>;
  /** Error code of an item that came into use since the list loaded, and its text. */
  inUse?: { reason: string; text: string };
  onClose: () => void;
  children: ReactNode;
};

/** Confirms and deletes an item, and reports the result. */
export function DeleteDialog<O extends Operation>({
  texts,
  remove,
  inUse,
  onClose,
  children,
  ...thing
}: DeleteProps<O>) {
  const t = useTranslations();
  const toast = useToast();
  const removal = useOperation(remove, {
    onSuccess: () => toast({ kind: 'success', text: t(`${texts}.deleted`) }),
  });
  const isUsed = removal.error?.reason === inUse?.reason;
  return (
    <ConfirmDialog
      open
      title={'title' in thing ? thing.title : t(`${texts}.delete_title`, { name: thing.name })}
      confirmLabel={t(`${texts}.delete`)}
      cancelLabel={t(`${texts}.cancel`)}
      tone="danger"
      busy={removal.isPending}
      error={removal.error ? (isUsed && inUse?.text) || t(`${texts}.failed`) : undefined}
      onConfirm={() => removal.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
}
