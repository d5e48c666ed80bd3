import { useTranslations } from 'use-intl';
import { ToSignIn } from '../../features/session/to-sign-in.tsx';
import { useSession } from '../../features/session/use-session.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { useSearchParams } from '../../routing/use-search-params.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { SignInFrame } from '../sign-in/sign-in-frame.tsx';
import { BindForm } from './bind-form.tsx';
import styles from './bind-page.module.css';
import { bindParameters } from './bind-parameters.ts';
import { NothingToBind } from './nothing-to-bind.tsx';

/** Binds an account of a third party to the person's own (specification section 2, "Login page"). */
export function BindPage() {
  const t = useTranslations('bind');
  const [query] = useSearchParams();
  const { status, user } = useSession();
  const parameters = bindParameters(query);
  usePageHead({ title: t(parameters ? 'title' : 'nothing_title') });
  if (!parameters)
    return (
      <SignInFrame>
        <NothingToBind />
      </SignInFrame>
    );
  const placeholder = <Skeleton className={styles.placeholder} />;
  return (
    <SignInFrame>
      <h1 className={styles.title}>{t('title')}</h1>
      {user && <BindForm parameters={parameters} user={user} />}
      {status === 'anonymous' && <ToSignIn>{placeholder}</ToSignIn>}
      {status === 'unknown' && placeholder}
    </SignInFrame>
  );
}
