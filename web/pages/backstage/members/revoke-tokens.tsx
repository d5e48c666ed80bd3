import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ManagedToken } from '../../../../shared/entities/review.ts';
import { call } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';

/** What is to end: one token, or all of a member. */
export type Ending = { token: ManagedToken } | { userId: number; name: string };

/** Asks before publish tokens of somebody are ended. */
export function RevokeTokens({ asked, onClose }: { asked: Ending | undefined; onClose: () => void }) {
  const t = useTranslations('members');
  const tokenTexts = useTranslations('publishToken');
  const queryClient = useQueryClient();
  const toast = useToast();
  const { mutate, reset, isPending, isError } = useMutation({
    mutationFn: async (ending: Ending): Promise<string> => {
      if ('token' in ending) {
        await call('revokeManagedToken', { id: ending.token.id });
        return tokenTexts('revoke_done', { name: ending.token.name });
      }
      await call('revokeManagedTokens', { user_id: ending.userId });
      return t('tokens_revoked', { name: ending.name });
    },
    onSuccess: (text) => {
      toast({ kind: 'success', text });
      onClose();
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['listManagedTokens'] }),
        queryClient.invalidateQueries({ queryKey: ['countManagedTokens'] }),
      ]),
  });
  const isOne = asked !== undefined && 'token' in asked;
  const title = isOne
    ? tokenTexts('revoke_title', { name: asked.token.name })
    : t('tokens_revoke_all_title', { name: asked?.name ?? '' });
  return (
    <ConfirmDialog
      open={asked !== undefined}
      title={title}
      confirmLabel={isOne ? tokenTexts('revoke') : t('tokens_revoke_all')}
      cancelLabel={t('cancel')}
      tone="danger"
      busy={isPending}
      error={isError ? tokenTexts('revoke_failed') : undefined}
      onConfirm={() => asked && mutate(asked)}
      onClose={() => {
        reset();
        onClose();
      }}
    >
      <p>{isOne ? tokenTexts('revoke_text') : t('tokens_revoke_all_text')}</p>
    </ConfirmDialog>
  );
}
