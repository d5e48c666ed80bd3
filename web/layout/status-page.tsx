import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../shared/constants.ts';
import { leavePage } from '../loading/connection.ts';
import { Button } from '../ui/button/button.tsx';
import { buttonClass } from '../ui/button/button-class.ts';
import { usePageHead } from './page-head.tsx';
import styles from './status-page.module.css';

type Props = {
  code?: string;
  title: string;
  text: string;
  children: ReactNode;
  /** Below the message. */
  more?: ReactNode;
};

/** A page with only a message and a link or button. */
export function StatusPage({ code, title, text, children, more }: Props) {
  return (
    <>
      <section className={styles.page}>
        {code && <p className={styles.code}>{code}</p>}
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.text}>{text}</p>
        <div className={styles.actions}>{children}</div>
      </section>
      {more && <div className={styles.more}>{more}</div>}
    </>
  );
}

/**
 * Replaces a page that crashed. Both buttons reload the document: after a release the page's chunks may no longer
 * exist.
 */
export function ErrorPage() {
  const t = useTranslations('error');
  usePageHead({ title: t('broken_title'), status: 500 });
  return (
    <StatusPage title={t('broken_title')} text={t('broken_text')}>
      <Button variant="primary" onClick={() => leavePage(() => location.reload())}>
        {t('reload')}
      </Button>
      <a className={buttonClass({ variant: 'outline' })} href={BASE_PATH}>
        {t('back_home')}
      </a>
    </StatusPage>
  );
}
