import LinkIcon from 'lucide-react/icons/link';
import { useFormatter, useTranslations } from 'use-intl';
import type { Proof, TypedProof } from '../../../shared/entities/sign-in.ts';
import type { LinkedSignIn } from '../../../shared/routes/linked-sign-in.ts';
import { useOperation } from '../../api/use-operation.ts';
import { ProofDialog } from '../../features/second-factor/proof-dialog.tsx';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { FactRow } from '../../ui/fact-row/fact-row.tsx';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';

type UnlinkDialogProps = { linked: LinkedSignIn; proof: Proof; onClose: () => void };

/** Reauthenticates, then unlinks a linked account; one that is already unlinked counts as success. */
export function UnlinkDialog({ linked, proof, onClose }: UnlinkDialogProps) {
  const t = useTranslations();
  const service = useServiceName();
  const attempt = useOperation(
    'removeLinkedSignIn',
    (typed: TypedProof) => ({ link_id: linked.link_id, ...typed }),
    {
      done: t('account.linked_removed'),
      errorMessages: { LAST_SIGN_IN: t('account.linked_last') },
      onSuccess: onClose,
    },
  );
  return (
    <ProofDialog
      proof={proof}
      attempt={attempt}
      title={t('account.linked_remove_title', { name: nameOf(linked) ?? service(linked) })}
      confirmLabel={t('account.linked_remove')}
      tone="danger"
      onClose={onClose}
    >
      <p>{t('account.linked_remove_text')}</p>
    </ProofDialog>
  );
}

type LinkedRowProps = { linked: LinkedSignIn; onUnlink: () => void };

export function LinkedRow({ linked, onUnlink }: LinkedRowProps) {
  const t = useTranslations('account');
  const format = useFormatter();
  const service = useServiceName();
  const { email, linked_at, is_removable } = linked;
  const name = nameOf(linked);
  const since = format.dateTime(new Date(linked_at), { dateStyle: 'medium' });
  return (
    <FactRow
      icon={<LinkIcon size={18} />}
      name={name ?? service(linked)}
      beside={!is_removable && <Badge>{t('linked_only')}</Badge>}
      facts={[
        ...(name === undefined ? [] : [service(linked)]),
        ...(email !== '' && email !== name ? [email] : []),
        t('linked_since', { when: since }),
      ]}
      action={
        is_removable && (
          <Button variant="outline" size="s" onClick={onUnlink}>
            <ShortText full={t('linked_remove_named', { name: name ?? service(linked) })}>
              {t('linked_remove')}
            </ShortText>
          </Button>
        )
      }
    />
  );
}

/** The account's name at its service; undefined where unknown. */
function nameOf({ name, email }: LinkedSignIn): string | undefined {
  return name || email || undefined;
}

/** The name of an account's service. */
function useServiceName(): (linked: LinkedSignIn) => string {
  const t = useTranslations('account');
  return ({ label, method }) => {
    if (method === null) return t('linked_gone');
    if (label !== null) return t('session_by', { name: label });
    return t(method === 'ldap' ? 'session_by_password' : 'session_by_sso');
  };
}
