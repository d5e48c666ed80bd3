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

/** Groups of texts with what is said of a thing that administrators add, edit, hide, put in order and delete. */
export type ItemTexts = 'bannerAdmin' | 'featuredAdmin' | 'helpAdmin' | 'markAdmin' | 'qrCodes' | 'tagAdmin';

type EditProps<V extends FieldValues> = {
  texts: ItemTexts | 'slots';
  title: string;
  /** `danger` for what cannot be taken back. */
  tone?: 'normal' | 'danger';
  /** `save` of the texts when not said. */
  confirmLabel?: string;
  /** `saved` of the texts when not said. */
  doneText?: string;
  /** `failed` of the texts when not said. */
  failedText?: string;
  form: UseFormReturn<V>;
  save: (values: V) => Promise<unknown>;
  /** Reads again what shows the saved thing. */
  refresh: () => Promise<unknown>;
  /** What is said by the reason of a refusal, and where: of several fields at those that the answer points to. */
  refusals?: Readonly<Record<string, { at: FieldPath<V> | 'root' | readonly FieldPath<V>[]; text: string }>>;
  /** The field of a picture, which may be refused for what it is. */
  picture?: FieldPath<V>;
  /** False while what is chosen from is not there. */
  isReady?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** The form of a thing in a dialog, which closes once it is saved; what was refused is said where it belongs. */
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
  /** Reads again what showed the deleted thing. */
  refresh: () => Promise<unknown>;
  /** The refusal of what came into use since it was listed, which is then read again, and its text. */
  inUse?: { reason: string; text: string };
  onClose: () => void;
  children: ReactNode;
};

/** Asks before a thing is deleted, and says what became of it. */
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
