import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import type { ManagedToken } from '../../../../shared/entities/review.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { TokenRow } from '../../../features/tokens/token-row.tsx';
import { FramedRows } from '../../../ui/framed-rows/framed-rows.tsx';
import { PagedList } from '../../paged-list.tsx';
import styles from './members-screen.module.css';

type Props = {
  /** Whose tokens; everybody's when not said, each with its owner. */
  userId?: number;
  onAsk: (token: ManagedToken) => void;
};

/** Publish tokens that work, of one member or of everybody. */
export function ManagedTokens({ userId, onAsk }: Props) {
  const t = useTranslations('members');
  const tokenTexts = useTranslations('publishToken');
  const person = useTranslations('backstage');
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
    owner.nick_name || person('person', { id: String(owner.user_id) });
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
            onRevoke={() => onAsk(token)}
          />
        ))}
      </FramedRows>
    </PagedList>
  );
}
