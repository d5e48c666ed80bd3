import { type RefCallback, useCallback, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button/button.tsx';
import { useIsBelowModal } from '../../ui/modal-layer.ts';
import { type Consent, decideConsent, useConsent } from './consent.ts';
import styles from './consent-banner.module.css';
import { ConsentDialog } from './consent-dialog.tsx';

/**
 * Asks a visitor who has not decided yet (R 11.18). It covers the bottom of the page and blocks nothing, and is inert
 * below an open menu or dialog; rejecting is as easy as accepting. `onDecided`: the focused button was removed.
 */
export function ConsentBanner({ onDecided }: { onDecided: () => void }) {
  const t = useTranslations('consent');
  const title = useId();
  const consent = useConsent();
  const [isChoosing, setChoosing] = useState(false);
  const banner = useBannerSpace();
  const isInert = useIsBelowModal();
  const decide = (decision: Consent): void => {
    decideConsent(decision);
    onDecided();
  };
  return (
    <>
      {consent === undefined && (
        <section ref={banner} className={styles.banner} aria-labelledby={title} inert={isInert}>
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
        // The dialog first tries to return focus to its trigger.
        onSaved={() => setTimeout(onDecided)}
      />
    </>
  );
}

/** Custom property of the page: the banner's height. */
const SPACE = '--consent-space';

/** Pads the bottom of the page, so that no focused element is under the banner (WCAG 2.2, 2.4.11). */
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
