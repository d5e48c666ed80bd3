import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { queryOptionsOf } from '../../../api/queries.ts';
import { usePageHead } from '../../../layout/page-head.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { useLinkToken } from '../link-token.ts';
import plain from '../plain-page.module.css';
import { SignInFrame } from '../sign-in-frame.tsx';
import { AskForm } from './ask-form.tsx';
import { ByAdministrator } from './by-administrator.tsx';
import { SetForm } from './set-form.tsx';

const PASSWORD_MIN = 10;

/** Sets a new password by a link, or has one mailed. */
export function ResetPage() {
  const t = useTranslations('signIn');
  const [token, forget] = useLinkToken('password-link');
  const { data: options, isPending } = useQuery(queryOptionsOf('readSignInOptions', {}));
  usePageHead({ title: t('reset_title') });
  const isWaiting = token === undefined || (token === null && isPending);
  return (
    <SignInFrame>
      <h1 className={plain.title}>{t('reset_title')}</h1>
      {isWaiting && <Skeleton className={plain.placeholder} />}
      {token && <SetForm token={token} forget={forget} min={options?.password_min ?? PASSWORD_MIN} />}
      {token === null &&
        !isPending &&
        (options?.reset === 'administrator' ? <ByAdministrator /> : <AskForm />)}
    </SignInFrame>
  );
}
