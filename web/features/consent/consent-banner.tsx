import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button/button.tsx';
import { decideConsent, useConsent } from './consent.ts';
import styles from './consent-banner.module.css';
import type { Consent } from './consent-cookie.ts';
import { ConsentDialog } from './consent-dialog.tsx';
import { useBannerSpace } from './use-banner-space.ts';

/**
 * Asks a visitor who has not decided yet (specification section 2, "Cookie banner"). It stands over the page's end and
 * leaves everything else usable; refusing is as easy as accepting. `onDecided`: its buttons, and the focus, are gone.
 */
export function ConsentBanner({ onDecided }: { onDecided: () => void }) {
  const t = useTranslations('consent');
  const title = useId();
  const consent = useConsent();
  const [isChoosing, setChoosing] = useState(false);
  const banner = useBannerSpace();
  const decide = (decision: Consent): void => {
    decideConsent(decision);
    onDecided();
  };
  return (
    <>
      {consent === undefined && (
        <section ref={banner} className={styles.banner} aria-labelledby={title}>
          <div className={styles.row}>
            <div className={styles.words}>
              <h2 id={title} className={styles.title}>
                {t('title')}
              </h2>
              <p className={styles.text}>{t('text')}</p>
            </div>
            <div className={styles.actions}>
              <Button variant="primary" onClick={() => decide('necessary')}>
                {t('reject_all')}
              </Button>
              <Button variant="primary" onClick={() => decide('marketing')}>
                {t('accept_all')}
              </Button>
              <Button variant="outline" onClick={() => setChoosing(true)}>
                {t('settings')}
              </Button>
            </div>
          </div>
        </section>
      )}
      <ConsentDialog
        open={isChoosing}
        onClose={() => setChoosing(false)}
        // The dialog first tries to give the focus back to its button.
        onSaved={() => setTimeout(onDecided)}
      />
    </>
  );
}
