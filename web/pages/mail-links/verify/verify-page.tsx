import { useLocale, useTranslations } from 'use-intl';
import { BASE_PATH, VERIFY_PATH } from '../../../../shared/constants.ts';
import { FALLBACK_LANGUAGE, LANGUAGES } from '../../../../shared/languages.ts';
import { errorText } from '../../../api/error-text.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { signInUrl } from '../../../features/session/sign-in-url.ts';
import { useSession } from '../../../features/session/use-session.ts';
import { usePageHead } from '../../../layout/page-head.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { FormAlert } from '../../sign-in/form-alert.tsx';
import { useLinkToken } from '../../sign-in/link-token.ts';
import plain from '../../sign-in/plain-page.module.css';
import styles from '../../sign-in/reset/reset-page.module.css';
import { SignInPageFrame } from '../../sign-in/sign-in-frame.tsx';
import { LinkNotice } from '../link-notice.tsx';

const ACCOUNT = `${BASE_PATH}account`;

/** Target of a mailed link that verifies the user's address. */
export function VerifyPage() {
  const t = useTranslations('signIn');
  const [token] = useLinkToken('address-link');
  const { status, user } = useSession();
  usePageHead({ title: t('verify_title') });
  const isWaiting = token === undefined || status === 'unknown';
  return (
    <SignInPageFrame>
      <h1 className={plain.title}>{t('verify_title')}</h1>
      {isWaiting && <Skeleton className={plain.placeholder} />}
      {token === null && <LinkNotice text={t('verify_over')} href={ACCOUNT} label={t('verify_to_account')} />}
      {token && status === 'anonymous' && (
        <>
          <p className={plain.text}>{t('verify_sign_in')}</p>
          <div className={styles.form}>
            <a className={buttonClass({ variant: 'primary', size: 'l' })} href={signInUrl(VERIFY_PATH)}>
              {t('submit')}
            </a>
          </div>
        </>
      )}
      {token && user && <Verify token={token} name={user.nick_name || user.user_name} />}
    </SignInPageFrame>
  );
}

function Verify({ token, name }: { token: string; name: string }) {
  const t = useTranslations();
  const locale = useLocale();
  const language = LANGUAGES.find((known) => known === locale) ?? FALLBACK_LANGUAGE;
  const { mutate, error, isPending, isSuccess } = useOperation('verifyAddress', () => ({ token, language }));
  if (isSuccess)
    return (
      <>
        <p className={plain.done} role="status">
          {t('signIn.verify_done')}
        </p>
        <div className={styles.form}>
          <a className={buttonClass({ variant: 'primary', size: 'l' })} href={ACCOUNT}>
            {t('signIn.verify_to_account')}
          </a>
        </div>
      </>
    );
  const isExpired = error?.reason === 'MAIL_LINK_INVALID' || error?.reason === 'ACCOUNT_EXISTS';
  if (isExpired)
    return <LinkNotice text={t('signIn.verify_over')} href={ACCOUNT} label={t('signIn.verify_to_account')} />;
  return (
    <>
      <p className={plain.text}>{t('signIn.verify_text', { name })}</p>
      <div className={styles.form}>
        {error && <FormAlert text={t(`error.${errorText(error)}`)} />}
        <Button variant="primary" size="l" busy={isPending} onClick={() => mutate()}>
          {t('signIn.verify_submit')}
        </Button>
      </div>
    </>
  );
}
