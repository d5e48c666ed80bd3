import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import type { ManagedToken } from '../../../../shared/entities/review.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { TokenRow } from '../../../features/tokens/token-row.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { FramedRows } from '../../../ui/framed-rows/framed-rows.tsx';
import { PagedList } from '../../paged-list.tsx';
import styles from './members-screen.module.css';

type Props = {
  /** Owner of the tokens; without one, everyone's, each with its owner. */
  userId?: number;
  onRevoke: (token: ManagedToken) => void;
};

/** Active publish tokens, of one member or of everyone. */
export function ManagedTokens({ userId, onRevoke }: Props) {
  const t = useTranslations('members');
  const tokenTexts = useTranslations('publishToken');
  const backstageTexts = useTranslations('backstage');
  const query = useInfiniteQuery(
    infiniteQueryOptionsOf('listManagedTokens', {
      limit: BACKSTAGE_PAGE_SIZE,
      ...(userId !== undefined && { user_id: userId }),
    }),
  );
  const tokens = query.data?.pages.flatMap((page) => page.token_list) ?? [];
  const scopeOf = ({ plugin_key, plugin_name }: ManagedToken): string =>
    plugin_key === null
      ? t('tokens_scope_all')
      : tokenTexts('scope_one', { name: plugin_name ?? plugin_key });
  const ownerOf = ({ owner }: ManagedToken): string =>
    owner.nick_name || backstageTexts('person', { id: String(owner.user_id) });
  return (
    <PagedList
      query={query}
      isEmpty={tokens.length === 0}
      empty={<p className={styles.off}>{t('tokens_none')}</p>}
    >
      <FramedRows>
        {tokens.map((token) => (
          <TokenRow
            key={token.id}
            token={token}
            scope={scopeOf(token)}
            owner={userId === undefined ? ownerOf(token) : undefined}
            onRevoke={() => onRevoke(token)}
          />
        ))}
      </FramedRows>
    </PagedList>
  );
}

/** To be revoked: one token, or all of a member. */
export type Revocation = { token: ManagedToken } | { userId: number; name: string };

/** Confirms before a user's publish tokens are revoked. */
export function RevokeTokens({
  confirming,
  onClose,
}: {
  confirming: Revocation | undefined;
  onClose: () => void;
}) {
  const t = useTranslations('members');
  const tokenTexts = useTranslations('publishToken');
  const isOne = confirming !== undefined && 'token' in confirming;
  const { mutate, reset, isPending, failure } = useOperation(
    isOne ? 'revokeManagedToken' : 'revokeManagedTokens',
    (revocation: Revocation) =>
      'token' in revocation ? { id: revocation.token.id } : { user_id: revocation.userId },
    {
      done: (_none, revocation) =>
        'token' in revocation
          ? tokenTexts('revoke_done', { name: revocation.token.name })
          : t('tokens_revoked', { name: revocation.name }),
      failed: tokenTexts('revoke_failed'),
    },
  );
  const title = isOne
    ? tokenTexts('revoke_title', { name: confirming.token.name })
    : t('tokens_revoke_all_title', { name: confirming?.name ?? '' });
  return (
    <ConfirmDialog
      open={confirming !== undefined}
      title={title}
      confirmLabel={isOne ? tokenTexts('revoke') : t('tokens_revoke_all')}
      tone="danger"
      busy={isPending}
      error={failure}
      onConfirm={() => confirming && mutate(confirming, { onSuccess: onClose })}
      onClose={() => {
        reset();
        onClose();
      }}
    >
      <p>{isOne ? tokenTexts('revoke_text') : t('tokens_revoke_all_text')}</p>
    </ConfirmDialog>
  );
}
