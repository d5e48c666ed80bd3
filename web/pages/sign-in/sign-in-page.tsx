import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH, SSO_ERROR_PARAMETER } from '../../../shared/constants.ts';
import type { Challenge } from '../../../shared/routes/sign-in.ts';
import type { DataFor } from '../../api/client.ts';
import { useIsInTool } from '../../api/in-tool.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useSession, useViewerChange } from '../../features/session/use-session.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { Button } from '../../ui/button/button.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import { AccountForm } from './account-form.tsx';
import { FormAlert } from './form-alert.tsx';
import plain from './plain-page.module.css';
import { ForgotPassword } from './reset/forgot-password.tsx';
import { type RestartReason, SecondFactorStep } from './second-factor/second-factor-step.tsx';
import { SsoError } from './sign-in-errors.tsx';
import { SignInPageFrame } from './sign-in-frame.tsx';
import styles from './sign-in-page.module.css';
import {
  methodsToBind,
  queryForMode,
  type SignInOrigin,
  signInMode,
  signInOrigin,
  signInParameters,
} from './sign-in-parameters.ts';
import { ProviderButtons, ProviderRedirect } from './single-sign-on.tsx';

const HERE: SignInOrigin = { kind: 'here' };

/** Defaults while the service hasn't sent its options. */
type Options = Omit<DataFor<'readSignInOptions'>, 'document_services'>;
const DEFAULT_OPTIONS: Options = {
  methods: [{ source: 'local', method: 'local', kind: 'password', label: null }],
  sign_up: true,
  sign_up_by_mail: false,
  password_min: 10,
  reset: null,
};

/** The sign-in and sign-up page of our own user service (R 2.18). */
export function SignInPage() {
  const t = useTranslations('signIn');
  const notHere = useTranslations('session')('not_here');
  const isInTool = useIsInTool();
  const [query] = useSearchParams();
  const { data, isPending } = useQuery(queryOptionsOf('readSignInOptions', {}));
  const options = data ?? DEFAULT_OPTIONS;
  const parameters = signInParameters(query);
  useOnward(parameters?.ux_mode === undefined || parameters.ux_mode === 'redirect');
  const source = data && parameters ? signInOrigin(parameters, data.document_services) : HERE;
  const binds = parameters?.bind_other !== undefined;
  const maySignUp = options.sign_up && !binds;
  const mode = maySignUp ? signInMode(query) : 'sign_in';
  const byMail = mode === 'sign_up' && options.sign_up_by_mail;
  const other = mode === 'sign_in' ? 'sign_up' : 'sign_in';
  const { challenge, restartReason, begin, end } = useChallenge();
  const [mailedTo, setMailedTo] = useState<string>();
  const signInTitle = query.get('purpose') === 'publish' ? 'title_publish' : 'title';
  const title = t(mode === 'sign_in' ? signInTitle : 'sign_up_title');
  const step = challenge ? t('second_factor_title') : title;
  usePageHead({ title: step });
  // The gateway starts a sign-in for requests without them.
  if (!parameters) return <SignInPageFrame />;
  const isFramed = parameters.ux_mode === 'auth';
  if (isPending || source.kind === 'unknown')
    return (
      <SignInPageFrame compact={isFramed}>
        {isPending ? <Skeleton className={styles.placeholder} /> : <UnknownSource />}
      </SignInPageFrame>
    );
  if (challenge)
    return (
      <SignInPageFrame compact={isFramed} step={step}>
        <SecondFactorStep challenge={challenge} parameters={parameters} onRestart={end} />
      </SignInPageFrame>
    );
  const ssoError = query.get(SSO_ERROR_PARAMETER);
  const offered = binds ? methodsToBind(options.methods, source) : options.methods;
  // Other sites can't be shown inside a design tool, whose window must stay.
  const methods = isInTool ? offered.filter(({ kind }) => kind !== 'redirect') : offered;
  const redirects = methods.filter(({ kind }) => kind === 'redirect');
  const hasForm = redirects.length < methods.length;
  const [only] = redirects;
  const isRedirect = !hasForm && redirects.length === 1 && ssoError === null;
  return (
    <SignInPageFrame compact={isFramed} step={mode === 'sign_in' ? undefined : step}>
      {/* The dialog around a frame has a heading: the reason for the sign-in, or the step. */}
      <h1 className={styles.title}>{isFramed ? <VisuallyHidden>{title}</VisuallyHidden> : title}</h1>
      {ssoError !== null && <SsoError code={ssoError} />}
      {source.kind === 'documents' && <DocumentServiceNote app={source.service.app_name} binds={binds} />}
      {maySignUp && (
        <p className={styles.other}>
          {t(`to_${other}`)}{' '}
          <Link className={styles.link} to={queryForMode(query, other)} replace>
            {t(`to_${other}_link`)}
          </Link>
        </p>
      )}
      {restartReason && <FormAlert text={t(restartReason)} />}
      {byMail && mailedTo !== undefined && (
        <>
          <p className={plain.done} role="status">
            {t('sign_up_sent', { email: mailedTo })}
          </p>
          <Button variant="outline" className={styles.again} onClick={() => setMailedTo(undefined)}>
            {t('sign_up_resend')}
          </Button>
        </>
      )}
      {hasForm && !(byMail && mailedTo) && (
        <AccountForm
          key={mode}
          mode={byMail ? 'sign_up_by_mail' : mode}
          parameters={parameters}
          passwordMin={options.password_min}
          onChallenge={begin}
          onMailed={setMailedTo}
        />
      )}
      {hasForm && mode === 'sign_in' && (
        <ForgotPassword
          reset={options.reset}
          inFrame={parameters.ux_mode !== undefined && parameters.ux_mode !== 'redirect'}
        />
      )}
      {isInTool && !hasForm && <FormAlert text={notHere} />}
      {only && isRedirect && <ProviderRedirect offer={only} parameters={parameters} />}
      {only && !isRedirect && mode === 'sign_in' && (
        <ProviderButtons offers={redirects} parameters={parameters} alone={!hasForm} />
      )}
    </SignInPageFrame>
  );
}

/**
 * Asks the gateway where to go when it turns out that the viewer is signed in: another tab did it, or a link of another site,
 * which browsers open without the session. Who was signed in from the start is to sign in again.
 */
function useOnward(enabled: boolean): void {
  const { status } = useSession();
  useViewerChange();
  const first = useRef(status);
  useEffect(() => {
    if (enabled && status === 'signed-in' && first.current !== status)
      location.replace(location.pathname + location.search);
  }, [enabled, status]);
}

type Props = {
  /** Name of the document service in the configuration; the name in a link isn't trustworthy. */
  app: string;
  /** The user has an account here, to which that of the document service will be bound. */
  binds: boolean;
};

/** Note for users of a document service: where they continue, or the reason for the sign-in. */
function DocumentServiceNote({ app, binds }: Props) {
  const t = useTranslations('signIn');
  return <p className={styles.from}>{t(binds ? 'bind_lead' : 'from_app', { app })}</p>;
}

/** The step after the password, and why an earlier sign-in must start over. */
function useChallenge() {
  const [challenge, setChallenge] = useState<Challenge>();
  const [restartReason, setRestartReason] = useState<RestartReason>();
  return {
    challenge,
    restartReason,
    begin: (next: Challenge): void => {
      setChallenge(next);
      setRestartReason(undefined);
    },
    end: (why?: RestartReason): void => {
      setChallenge(undefined);
      setRestartReason(why);
    },
  };
}

/** The link names an unknown document service. */
function UnknownSource() {
  const t = useTranslations();
  return (
    <>
      <h1 className={styles.title}>{t('signIn.title')}</h1>
      <FormAlert text={t('signIn.source_unknown')} />
      <div className={styles.actions}>
        <a className={buttonClass({ variant: 'outline' })} href={BASE_PATH}>
          {t('error.back_home')}
        </a>
      </div>
    </>
  );
}
