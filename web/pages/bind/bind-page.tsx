import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH, SSO_ERROR_PARAMETER } from '../../../shared/constants.ts';
import { onwardAddress } from '../../../shared/onward-address.ts';
import { isUnauthenticated } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useSite } from '../../api/site-context.ts';
import { useOperation } from '../../api/use-operation.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { RedirectToSignIn } from '../../features/session/redirect-to-sign-in.tsx';
import { useSession } from '../../features/session/use-session.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { useIsHydrated } from '../../layout/use-is-hydrated.ts';
import { Button } from '../../ui/button/button.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { FormAlert } from '../sign-in/form-alert.tsx';
import plain from '../sign-in/plain-page.module.css';
import { SsoError } from '../sign-in/sign-in-errors.tsx';
import { SignInPageFrame } from '../sign-in/sign-in-frame.tsx';
import { BindForm } from './bind-form.tsx';
import { type BindStartParameters, bindParameters, bindStartParameters } from './bind-parameters.ts';

/** Binds a third-party account to the user's own (R 2.20). */
export function BindPage() {
  const t = useTranslations('bind');
  const [query] = useSearchParams();
  const { status, user } = useSession();
  const parameters = bindParameters(query);
  const start = bindStartParameters(query);
  usePageHead({ title: t(parameters || start ? 'title' : 'nothing_title') });
  if (!parameters && !start)
    return (
      <SignInPageFrame>
        <NothingToBind />
      </SignInPageFrame>
    );
  const placeholder = <Skeleton className={plain.placeholder} />;
  return (
    <SignInPageFrame>
      <h1 className={plain.title}>{t('title')}</h1>
      {user && parameters && <BindForm parameters={parameters} user={user} />}
      {user && start && <BindStart parameters={start} failure={query.get(SSO_ERROR_PARAMETER)} />}
      {status === 'anonymous' && <RedirectToSignIn>{placeholder}</RedirectToSignIn>}
      {status === 'unknown' && placeholder}
    </SignInPageFrame>
  );
}

/** The URL doesn't name an account to bind. */
function NothingToBind() {
  const t = useTranslations();
  return (
    <>
      <h1 className={plain.title}>{t('bind.nothing_title')}</h1>
      <p className={plain.text}>{t('bind.nothing_text')}</p>
      <div className={plain.actions}>
        <a className={buttonClass({ variant: 'primary', size: 'l' })} href={BASE_PATH}>
          {t('error.back_home')}
        </a>
      </div>
    </>
  );
}

type Props = {
  parameters: BindStartParameters;
  /** Error code of the last attempt. */
  failure: string | null;
};

/** Authenticates users at a document service, before its account can be bound to the signed-in one. */
function BindStart({ parameters, failure }: Props) {
  const t = useTranslations();
  const site = useSite();
  const isHydrated = useIsHydrated();
  const options = useQuery(queryOptionsOf('readSignInOptions', {}));
  const payloadOf = () => {
    const { mainUrl, ...rest } = parameters;
    return onwardAddress(mainUrl, site) === undefined ? rest : parameters;
  };
  const { mutate, isPending, isSuccess, error } = useOperation('beginBind', payloadOf, {
    onSuccess: ({ go_to }) => location.assign(go_to),
  });
  if (error && isUnauthenticated(error)) return <RedirectToSignIn>{null}</RedirectToSignIn>;
  if (options.isPending) return <Skeleton className={plain.placeholder} />;
  if (options.isLoadingError)
    return (
      <QueryError error={options.error} busy={options.isFetching} onRetry={() => void options.refetch()} />
    );
  const service = options.data.document_services.find(
    ({ ux_from, login_source_id }) =>
      ux_from === parameters.ux_from && login_source_id === parameters.login_source_id,
  );
  const onward = onwardAddress(parameters.mainUrl, site) ?? BASE_PATH;
  if (!service)
    return (
      <>
        <p className={plain.text}>{t('signIn.source_unknown')}</p>
        <div className={plain.actions}>
          <a className={buttonClass({ variant: 'primary', size: 'l' })} href={onward}>
            {t('bind.go_on')}
          </a>
        </div>
      </>
    );
  return (
    <>
      <p className={plain.text}>{t('bind.start_text', { app: service.app_name })}</p>
      {error ? <FormAlert text={t(`error.${errorText(error)}`)} /> : failure && <SsoError code={failure} />}
      <div className={plain.actions}>
        <Button
          variant="primary"
          size="l"
          // A click before hydration would be lost.
          disabled={!isHydrated}
          busy={isPending || isSuccess}
          onClick={() => mutate()}
        >
          {t('signIn.continue_with', { name: service.app_name })}
        </Button>
        <a className={buttonClass({ variant: 'outline', size: 'l' })} href={onward}>
          {t('bind.not_now')}
        </a>
      </div>
    </>
  );
}
