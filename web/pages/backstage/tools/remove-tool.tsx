import { useTranslations } from 'use-intl';
import type { Proof, TypedProof } from '../../../../shared/entities/sign-in.ts';
import type { ManagedTool } from '../../../../shared/routes/tool.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { ProofDialog } from '../../../features/second-factor/proof-dialog.tsx';

type Props = {
  tool: ManagedTool;
  /** The viewer's reauthentication. */
  proof: Proof;
  onClose: () => void;
};

/** Says how many people are disconnected, and removes the tool. */
export function RemoveTool({ tool, proof, onClose }: Props) {
  const t = useTranslations('toolAdmin');
  const { client_id, client_name: name, people } = tool;
  const attempt = useOperation('removeTool', (typed: TypedProof) => ({ client_id, ...typed }), {
    done: (removed) => t('removed', { name, count: removed.people }),
    failed: t('remove_failed'),
    onSuccess: onClose,
  });
  return (
    <ProofDialog
      proof={proof}
      attempt={attempt}
      title={t('remove_title', { name })}
      confirmLabel={t('remove')}
      tone="danger"
      onClose={onClose}
    >
      <p>{t('remove_text', { count: people })}</p>
    </ProofDialog>
  );
}
