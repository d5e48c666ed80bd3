import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { CodeField } from '../../../features/second-factor/code-field.tsx';
import { useCode } from '../../../features/second-factor/use-code.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';

type CodeDialogProps = {
  title: string;
  text: string;
  confirmLabel: string;
  tone?: 'normal' | 'danger';
  attempt: {
    error: ApiError | null;
    isPending: boolean;
    reset: () => void;
    mutate: (code: string) => void;
  };
  onClose: () => void;
};

/** Asks for a code before something is done with the second factor. */
export function CodeDialog({ text, attempt, onClose, ...dialog }: CodeDialogProps) {
  const t = useTranslations('account');
  const code = useCode('either', attempt);
  const confirm = (): void => {
    if (!attempt.isPending && code.check()) attempt.mutate(code.value);
  };
  return (
    <ConfirmDialog
      {...dialog}
      open
      cancelLabel={t('second_factor_cancel')}
      busy={attempt.isPending}
      error={code.failure}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{text}</p>
      <CodeField
        kind="either"
        value={code.value}
        onValueChange={code.change}
        error={code.wrong}
        onEnter={confirm}
      />
    </ConfirmDialog>
  );
}
