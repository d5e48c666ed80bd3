import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ManagedTokens } from './managed-tokens.tsx';
import styles from './members-screen.module.css';
import { type Ending, RevokeTokens } from './revoke-tokens.tsx';

/** Publish tokens of everybody, for a deployment whose accounts are kept elsewhere. */
export function EverybodysTokens() {
  const t = useTranslations('members');
  const [asked, setAsked] = useState<Ending>();
  return (
    <section className={styles.changes} aria-labelledby="tokens">
      <h2 id="tokens" className={styles.heading}>
        {t('tokens_title')}
      </h2>
      <ManagedTokens onAsk={(token) => setAsked({ token })} />
      <RevokeTokens asked={asked} onClose={() => setAsked(undefined)} />
    </section>
  );
}
