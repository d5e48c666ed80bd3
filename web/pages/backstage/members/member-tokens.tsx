import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Member } from '../../../../shared/entities/backstage.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { ShortText } from '../../../ui/visually-hidden/short-text.tsx';
import { ManagedTokens } from './managed-tokens.tsx';
import styles from './members-screen.module.css';
import { type Ending, RevokeTokens } from './revoke-tokens.tsx';

type Props = {
  member: Member;
  /** Tokens that work; undefined while that is not known. */
  count: number | undefined;
};

/** How many publish tokens of a member work; behind the number, which they are and the ways to end them. */
export function MemberTokens({ member: { user_id, nick_name, email }, count }: Props) {
  const t = useTranslations('members');
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<Ending>();
  const name = nick_name || email;
  if (count === undefined) return <span className={styles.off}>—</span>;
  return (
    <>
      {count === 0 ? (
        <span className={styles.off}>0</span>
      ) : (
        <Button size="s" onClick={() => setOpen(true)}>
          <ShortText full={t('tokens_count_of', { count, name })}>{t('tokens_count', { count })}</ShortText>
        </Button>
      )}
      <Dialog
        open={isOpen && asked === undefined}
        onClose={() => setOpen(false)}
        title={t('tokens_of', { name })}
        closeLabel={t('tokens_close')}
      >
        <ManagedTokens userId={user_id} onAsk={(token) => setAsked({ token })} />
        {count > 1 && (
          <div className={styles.revokeAll}>
            <Button variant="outline" onClick={() => setAsked({ userId: user_id, name })}>
              {t('tokens_revoke_all')}
            </Button>
          </div>
        )}
      </Dialog>
      <RevokeTokens asked={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}
