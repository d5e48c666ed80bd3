import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { type FormProblem, showProblems } from '../../../ui/form-problems.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';
import styles from './edit-dialogs.module.css';
import { usePictureTexts } from './picture-field.tsx';

/** Groups of texts about something that administrators add, edit, hide, sort and delete. */
export type ItemTexts = 'bannerAdmin' | 'featuredAdmin' | 'helpAdmin' | 'markAdmin' | 'qrCodes' | 'tagAdmin';

type EditProps<V extends FieldValues> = {
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
  save: (values: V) => Promise<unknown>;
  /** Invalidates the queries with the saved item. */
  refresh: () => Promise<unknown>;
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
export function EditDialog<V extends FieldValues>({
  texts,
  title,
  tone = 'normal',
  confirmLabel,
  doneText,
  failedText,
  form: { formState, handleSubmit, setError },
  save,
  refresh,
  refusals = {},
  picture,
  isReady = true,
  onClose,
  children,
}: EditProps<V>) {
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
  const { mutate, isPending } = useMutation({
    mutationFn: save,
    onSuccess: async () => {
      toast({ kind: 'success', text: doneText ?? t(`${texts}.saved`) });
      await refresh();
      onClose();
    },
    onError: (error) => showProblems(setError, problemsOf(error)),
  });
  const submit = handleSubmit((values) => mutate(values));
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

type DeleteProps = ({ name: string } | { /** Of what has no name. */ title: string }) & {
  texts: ItemTexts | 'manage';
  remove: () => Promise<unknown>;
  /** Invalidates the queries with the deleted item. */
  refresh: () => Promise<unknown>;
  /** Error code of an item that came into use since the list loaded, and its text; the list is refetched. */
  inUse?: { reason: string; text: string };
  onClose: () => void;
  children: ReactNode;
};

/** Confirms and deletes an item, and reports the result. */
export function DeleteDialog({ texts, remove, refresh, inUse, onClose, children, ...thing }: DeleteProps) {
  const t = useTranslations();
  const toast = useToast();
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      toast({ kind: 'success', text: t(`${texts}.deleted`) });
      await refresh();
      onClose();
    },
    ...(inUse && { onError: refresh }),
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
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
}
