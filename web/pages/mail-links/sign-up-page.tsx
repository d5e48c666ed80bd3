import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { signInUrl } from '../../features/session/sign-in-url.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { useLinkToken } from '../sign-in/link-token.ts';
import plain from '../sign-in/plain-page.module.css';
import { SignInFrame } from '../sign-in/sign-in-frame.tsx';
import { LinkNotice } from './link-notice.tsx';
import { SignUpForm } from './sign-up-form.tsx';

const PASSWORD_MIN = 10;

/** Where the link in a mail ends a sign-up. */
export function SignUpPage() {
  const t = useTranslations('signIn');
  const [token, forget] = useLinkToken('sign-up-link');
  const { data: options } = useQuery(queryOptionsOf('readSignInOptions', {}));
  usePageHead({ title: t('sign_up_finish_title') });
  return (
    <SignInFrame>
      <h1 className={plain.title}>{t('sign_up_finish_title')}</h1>
      {token === undefined && <Skeleton className={plain.placeholder} />}
      {token === null && (
        <LinkNotice
          text={t('sign_up_link_over')}
          href={signInUrl(BASE_PATH, { signUp: true })}
          label={t('sign_up_again')}
        />
      )}
      {token && <SignUpForm token={token} forget={forget} min={options?.password_min ?? PASSWORD_MIN} />}
    </SignInFrame>
  );
}
