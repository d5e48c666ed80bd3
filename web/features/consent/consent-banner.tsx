import { type RefCallback, useCallback, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button/button.tsx';
import { type Consent, decideConsent, useConsent } from './consent.ts';
import styles from './consent-banner.module.css';
import { ConsentDialog } from './consent-dialog.tsx';

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

/** Custom property of the page: the height that the banner takes from its end. */
const SPACE = '--consent-space';

/** Keeps the page's end, and what the keyboard reaches there, free from under the banner (WCAG 2.2, 2.4.11). */
function useBannerSpace(): RefCallback<HTMLElement> {
  return useCallback((banner) => {
    if (!banner) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty(SPACE, `${banner.offsetHeight}px`));
    observer.observe(banner);
    return () => {
      observer.disconnect();
      style.removeProperty(SPACE);
    };
  }, []);
}
