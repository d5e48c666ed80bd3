import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { PublishToken } from '../../../shared/entities/review.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { Disclosure } from '../../ui/disclosure/disclosure.tsx';
import { FramedRows } from '../../ui/framed-rows/framed-rows.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import type { TokenPlugin } from './token-form.tsx';
import { TokenRow } from './token-row.tsx';
import { tokenState } from './token-state.ts';
import { useRevokeToken } from './use-tokens.ts';

type TokenListProps = { tokens: readonly PublishToken[]; plugins: readonly TokenPlugin[] };

/** The tokens that work, and folded away those that do not any more. */
export function TokenList({ tokens, plugins }: TokenListProps) {
  const t = useTranslations('publishToken');
  const toast = useToast();
  const revoke = useRevokeToken();
  const [asked, setAsked] = useState<PublishToken>();
  const now = Date.now();
  const active = tokens.filter((token) => tokenState(token, now) === 'active');
  const ended = tokens.filter((token) => tokenState(token, now) !== 'active');
  const scopeOf = ({ plugin_key }: PublishToken): string => {
    if (plugin_key === null) return t('scope_all');
    const plugin = plugins.find((one) => one.plugin_key === plugin_key);
    return t('scope_one', { name: plugin?.name ?? plugin_key });
  };
  const rows = (those: readonly PublishToken[]) => (
    <FramedRows>
      {those.map((token) => (
        <TokenRow key={token.id} token={token} scope={scopeOf(token)} onRevoke={() => setAsked(token)} />
      ))}
    </FramedRows>
  );
  const confirm = (): void => {
    if (!asked) return;
    revoke.mutate(asked.id, {
      onSuccess: () => {
        toast({ kind: 'success', text: t('revoke_done', { name: asked.name }) });
        setAsked(undefined);
      },
    });
  };
  const close = (): void => {
    revoke.reset();
    setAsked(undefined);
  };
  return (
    <>
      {active.length > 0 && rows(active)}
      {ended.length > 0 && <Disclosure label={t('ended', { count: ended.length })}>{rows(ended)}</Disclosure>}
      <ConfirmDialog
        open={asked !== undefined}
        title={t('revoke_title', { name: asked?.name ?? '' })}
        confirmLabel={t('revoke')}
        cancelLabel={t('cancel')}
        tone="danger"
        busy={revoke.isPending}
        error={revoke.isError ? t('revoke_failed') : undefined}
        onConfirm={confirm}
        onClose={close}
      >
        <p>{t('revoke_text')}</p>
      </ConfirmDialog>
    </>
  );
}
