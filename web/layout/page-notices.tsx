import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isModifiedClick } from '../api/latest-location.ts';
import { useSite } from '../api/site-context.ts';
import { onChosenElsewhere, showStoredLanguage } from '../features/preferences/language-choice.ts';
import { isBrowserOffline, leavePage, retryNow, stay, useIsConnectionLost } from '../loading/connection.ts';
import type { PartFailureProps } from '../loading/lazy.tsx';
import { hasUnsavedInput } from '../loading/unsaved-input.ts';
import { Button } from '../ui/button/button.tsx';
import { ErrorNotice } from '../ui/notice/notice.tsx';
import { useToast } from '../ui/toast/toast-context.ts';
import visuallyHidden from '../ui/visually-hidden/visually-hidden.module.css';
import styles from './frame.module.css';

/** What concerns the whole page while it stays: no network, another language in another tab. */
export function PageNotices() {
  const t = useTranslations('error');
  const list = useTranslations('list');
  const isConnectionLost = useIsConnectionLost();
  const [isOtherLanguage, setOtherLanguage] = useState(false);
  const { language } = useSite();
  useLinksOffline();
  useEffect(
    () =>
      onChosenElsewhere((chosen) => {
        if (chosen === language) setOtherLanguage(false);
        else if (hasUnsavedInput()) setOtherLanguage(true);
        else showStoredLanguage();
      }),
    [language],
  );
  return (
    <div className={styles.stack}>
      <p className={visuallyHidden.hidden} aria-live="polite">
        {isConnectionLost && (
          <>
            {t('offline')} {t('offline_text')}
          </>
        )}
        {isOtherLanguage && t('other_language')}
      </p>
      {isConnectionLost && (
        <div className={styles.notice}>
          <p>
            <strong>{t('offline')}</strong> {t('offline_text')}
          </p>
          <Button size="s" onClick={retryNow}>
            {list('retry')}
          </Button>
        </div>
      )}
      {isOtherLanguage && (
        <div className={styles.notice}>
          <p>{t('other_language')}</p>
          <Button size="s" onClick={showStoredLanguage}>
            {t('reload')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Holds links to other documents while the browser is offline; React Router has its own by then. */
function useLinksOffline(): void {
  useEffect(() => {
    const hold = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link) return;
      stay();
      const { href, target, origin, pathname, search, hash } = link;
      const isHere = hash !== '' && pathname === location.pathname && search === location.search;
      const isOurs = event.defaultPrevented || target !== '' || link.download !== '' || isHere;
      if (isOurs || isModifiedClick(event) || !origin.startsWith('http') || !isBrowserOffline()) return;
      event.preventDefault();
      leavePage(() => location.assign(href));
    };
    document.addEventListener('click', hold);
    return () => document.removeEventListener('click', hold);
  }, []);
}

/** Stands in place of a part whose code can't be loaded; a layer has no place and gets a toast. */
export function PartFailure({ isLayer, onRetry }: PartFailureProps) {
  const t = useTranslations('list');
  const error = useTranslations('error');
  const toast = useToast();
  const isConnectionLost = useIsConnectionLost();
  const text = isConnectionLost ? error('offline') : t('error_network');
  useEffect(() => {
    if (isLayer) toast({ kind: 'failure', text: `${t('error_title')}. ${text}` });
  }, [isLayer, toast, t, text]);
  if (isLayer) return null;
  return <ErrorNotice title={t('error_title')} text={text} retryLabel={t('retry')} onRetry={onRetry} />;
}
