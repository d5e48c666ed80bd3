import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { isApiError } from '../../../api/api-error.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';

type Props = ({ name: string } | { /** Of what has no name. */ title: string }) & {
  /** Group of texts with `delete_title`, `delete`, `cancel`, `deleted` and `failed`. */
  texts: 'bannerAdmin' | 'featuredAdmin' | 'helpAdmin' | 'markAdmin' | 'qrCodes' | 'tagAdmin';
  remove: () => Promise<unknown>;
  /** Reads again what showed the deleted thing. */
  refresh: () => Promise<unknown>;
  /** The refusal of what came into use since it was listed, which is then read again, and its text. */
  inUse?: { reason: string; text: string };
  onClose: () => void;
  children: ReactNode;
};

/** Asks before a thing is deleted, and says what became of it. */
export function DeleteDialog({ texts, remove, refresh, inUse, onClose, children, ...thing }: Props) {
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
  const isUsed = isApiError(removal.error) && removal.error.reason === inUse?.reason;
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
