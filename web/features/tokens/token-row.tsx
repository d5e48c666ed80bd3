import KeyRoundIcon from 'lucide-react/icons/key-round';
import { useFormatter, useTranslations } from 'use-intl';
import type { PublishToken } from '../../../shared/entities/review.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { FactRow } from '../../ui/fact-row/fact-row.tsx';
import { useTimeAgo } from '../../ui/use-time-ago.ts';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import { tokenState } from './token-state.ts';
import styles from './tokens.module.css';

type TokenRowProps = {
  token: PublishToken;
  scope: string;
  /** The owner, where it isn't obvious. */
  owner?: string | undefined;
  onRevoke: () => void;
};

const TONES = { active: 'positive', expired: 'neutral', revoked: 'neutral' } as const;

/** One token: name, scope and state. */
export function TokenRow({ token, scope, owner, onRevoke }: TokenRowProps) {
  const t = useTranslations('publishToken');
  const format = useFormatter();
  const ago = useTimeAgo();
  const state = tokenState(token, Date.now());
  const day = (at: string): string => format.dateTime(new Date(at), { dateStyle: 'medium' });
  return (
    <FactRow
      icon={<KeyRoundIcon size={18} />}
      name={token.name}
      beside={
        <>
          <code className={styles.hint} translate="no">
            {token.hint}…
          </code>
          <Badge tone={TONES[state]}>{t(state)}</Badge>
        </>
      }
      facts={[
        ...(owner === undefined ? [] : [owner]),
        scope,
        t('created', { when: day(token.created_at) }),
        state === 'revoked' && token.revoked_at !== null
          ? t('revoked_at', { when: day(token.revoked_at) })
          : t(state === 'expired' ? 'expired_at' : 'expires_at', { when: day(token.expires_at) }),
        token.last_used_at === null ? t('never_used') : t('last_used', { when: ago(token.last_used_at) }),
      ]}
      action={
        state === 'active' && (
          <Button variant="outline" size="s" onClick={onRevoke}>
            <ShortText full={t('revoke_named', { name: token.name })}>{t('revoke')}</ShortText>
          </Button>
        )
      }
    />
  );
}
