import { useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { SSO_ERROR_PARAMETER } from '../../../shared/constants.ts';
import { ToSignIn } from '../../features/session/to-sign-in.tsx';
import { useSession } from '../../features/session/use-session.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import plain from '../sign-in/plain-page.module.css';
import { SignInFrame } from '../sign-in/sign-in-frame.tsx';
import { BindForm } from './bind-form.tsx';
import { bindParameters } from './bind-parameters.ts';
import { BindStart } from './bind-start.tsx';
import { bindStartParameters } from './bind-start-parameters.ts';
import { NothingToBind } from './nothing-to-bind.tsx';

/** Binds an account of a third party to the person's own (specification section 2, "Login page"). */
export function BindPage() {
  const t = useTranslations('bind');
  const [query] = useSearchParams();
  const { status, user } = useSession();
  const parameters = bindParameters(query);
  const start = bindStartParameters(query);
  usePageHead({ title: t(parameters || start ? 'title' : 'nothing_title') });
  if (!parameters && !start)
    return (
      <SignInFrame>
        <NothingToBind />
      </SignInFrame>
    );
  const placeholder = <Skeleton className={plain.placeholder} />;
  return (
    <SignInFrame>
      <h1 className={plain.title}>{t('title')}</h1>
      {user && parameters && <BindForm parameters={parameters} user={user} />}
      {user && start && <BindStart parameters={start} failure={query.get(SSO_ERROR_PARAMETER)} />}
      {status === 'anonymous' && <ToSignIn>{placeholder}</ToSignIn>}
      {status === 'unknown' && placeholder}
    </SignInFrame>
  );
}
