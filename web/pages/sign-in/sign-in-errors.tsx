import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { signInUrl } from '../../features/session/sign-in-url.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { FormAlert } from './form-alert.tsx';
import styles from './sign-in-page.module.css';

type Text = 'sso_refused' | 'sso_setup' | 'sso_unavailable' | 'sso_unknown' | 'account_disabled';

const TEXTS: Readonly<Partial<Record<ErrorCode, Text>>> = {
  SERVICE_UNAVAILABLE: 'sso_unavailable',
  SIGN_IN_MISCONFIGURED: 'sso_setup',
  SSO_ACCOUNT_UNKNOWN: 'sso_unknown',
  ACCOUNT_DISABLED: 'account_disabled',
};

const textOf = (code: string): Text => new Map(Object.entries(TEXTS)).get(code) ?? 'sso_refused';

/** Why another identity provider returned the user without a sign-in. */
export function SsoError({ code }: { code: string }) {
  const t = useTranslations('signIn');
  return <FormAlert text={t(textOf(code))} />;
}

/** The page was opened without a return URL: links to the two ways to continue. */
export function NoTarget() {
  const t = useTranslations();
  return (
    <>
      <h1 className={styles.title}>{t('signIn.no_target_title')}</h1>
      <p className={styles.text}>{t('signIn.no_target_text')}</p>
      <div className={styles.actions}>
        <a className={buttonClass({ variant: 'primary' })} href={signInUrl(BASE_PATH)}>
          {t('signIn.no_target_start')}
        </a>
        <a className={buttonClass({ variant: 'outline' })} href={BASE_PATH}>
          {t('error.back_home')}
        </a>
      </div>
    </>
  );
}
