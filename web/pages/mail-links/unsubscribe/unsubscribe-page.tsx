import { useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { ACCOUNT_PATH } from '../../../../shared/constants.ts';
import { errorText } from '../../../api/error-text.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { usePageHead } from '../../../layout/page-head.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { FormAlert } from '../../sign-in/form-alert.tsx';
import plain from '../../sign-in/plain-page.module.css';
import styles from '../../sign-in/reset/reset-page.module.css';
import { SignInPageFrame } from '../../sign-in/sign-in-frame.tsx';
import { LinkNotice } from '../link-notice.tsx';

/** Target of a mailed link that unsubscribes from its kind of mail, without sign-in. */
export function UnsubscribePage() {
  const t = useTranslations();
  const [query] = useSearchParams();
  const token = query.get('token') ?? '';
  const { mutate, error, isPending, isSuccess } = useOperation('unsubscribe', () => ({ token }));
  usePageHead({ title: t('signIn.unsubscribe_title') });
  const isExpired = error?.reason === 'MAIL_LINK_INVALID' || error?.reason === 'VALIDATION_FAILED';
  return (
    <SignInPageFrame>
      <h1 className={plain.title}>{t('signIn.unsubscribe_title')}</h1>
      {isExpired && (
        <LinkNotice
          text={t('signIn.unsubscribe_over')}
          href={ACCOUNT_PATH}
          label={t('signIn.verify_to_account')}
        />
      )}
      {isSuccess && (
        <p className={plain.done} role="status">
          {t('signIn.unsubscribe_done')}
        </p>
      )}
      {!isExpired && !isSuccess && (
        <>
          <p className={plain.text}>{t('signIn.unsubscribe_text')}</p>
          <div className={styles.form}>
            {error && <FormAlert text={t(`error.${errorText(error)}`)} />}
            <Button variant="primary" size="l" busy={isPending} onClick={() => mutate()}>
              {t('signIn.unsubscribe_submit')}
            </Button>
          </div>
        </>
      )}
    </SignInPageFrame>
  );
}
