import { useQuery } from '@tanstack/react-query';
import LinkIcon from 'lucide-react/icons/link';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH, TOAST_DURATION } from '../../../shared/constants.ts';
import type { Proof, TypedProof } from '../../../shared/entities/sign-in.ts';
import type { UserInfo } from '../../../shared/entities/user.ts';
import { onwardAddress } from '../../../shared/onward-address.ts';
import { type ApiError, isUnauthenticated } from '../../api/api-error.ts';
import type { DataFor } from '../../api/client.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useSite } from '../../api/site-context.ts';
import { useOperation } from '../../api/use-operation.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { ProofField, useProof } from '../../features/second-factor/code-field.tsx';
import { RedirectToSignIn } from '../../features/session/redirect-to-sign-in.tsx';
import { signInUrl } from '../../features/session/sign-in-url.ts';
import { userName } from '../../features/session/use-session.ts';
import { useIsHydrated } from '../../layout/use-is-hydrated.ts';
import { Avatar } from '../../ui/avatar/avatar.tsx';
import { Button } from '../../ui/button/button.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import plain from '../sign-in/plain-page.module.css';
import styles from './bind-page.module.css';
import { type BindParameters, bindErrorOf, bindPayload, canRetry, isProofError } from './bind-parameters.ts';

type BindFormProps = { parameters: BindParameters; user: UserInfo };

/** Shows the two accounts, binds them after confirmation, and shows the result. */
export function BindForm({ parameters, user }: BindFormProps) {
  const t = useTranslations();
  const site = useSite();
  const onward = onwardAddress(parameters.mainUrl, site);
  const bind = useQuery(queryOptionsOf('readBind', { id: parameters.id }));
  const payloadOf = (proof: { password?: string; code?: string }) => ({
    ...bindPayload(parameters, site),
    ...proof,
    // A foreign user service only gets the parameters of its link.
    ...(site.own_accounts && { language: site.language }),
  });
  const attempt = useOperation('bindThirdParty', payloadOf, {
    onError: (error) => {
      if (error.reason === 'REAUTHENTICATION_REQUIRED') void bind.refetch();
    },
  });
  if (attempt.isSuccess) return <BindDone onward={onward} />;
  const error = bind.error ?? attempt.error;
  if (error && isUnauthenticated(error)) return <RedirectToSignIn>{null}</RedirectToSignIn>;
  if (bind.isPending) return <Skeleton className={plain.placeholder} />;
  const bindError = error && !isProofError(error, bind.data?.proof) ? bindErrorOf(error) : undefined;
  if (bind.isError && bindError && canRetry(bindError))
    return <QueryError error={bind.error} busy={bind.isFetching} onRetry={() => void bind.refetch()} />;
  const canBind = bind.data !== undefined && (bindError === undefined || canRetry(bindError));
  const leave = bindError ? (onward ? 'bind.go_on' : 'error.back_home') : 'bind.not_now';
  return (
    <>
      {bind.data && (
        <>
          <p className={plain.text}>{t('bind.text')}</p>
          <BindAccounts bound={bind.data} folder={parameters.txDocFolderId} user={user} />
        </>
      )}
      {bindError && (
        <p className={styles.problem} role="alert">
          {t(`bind.${bindError}`)}
        </p>
      )}
      <BindConfirm
        proof={canBind ? bind.data.proof : undefined}
        attempt={attempt}
        isRetry={bindError !== undefined}
        leave={
          <a className={buttonClass({ variant: 'outline', size: 'l' })} href={onward ?? BASE_PATH}>
            {t(leave)}
          </a>
        }
      />
    </>
  );
}

/** Shows that the accounts are bound, and a link back if its target is allowed. */
function BindDone({ onward }: { onward: string | undefined }) {
  const t = useTranslations();
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    link.current?.focus();
    if (onward === undefined) return;
    const timer = setTimeout(() => location.replace(onward), TOAST_DURATION);
    return () => clearTimeout(timer);
  }, [onward]);
  return (
    <>
      <p className={plain.done} role="status">
        {t(onward === undefined ? 'bind.done' : 'bind.done_going_on')}
      </p>
      <div className={plain.actions}>
        <a ref={link} className={buttonClass({ variant: 'primary', size: 'l' })} href={onward ?? BASE_PATH}>
          {t(onward === undefined ? 'error.back_home' : 'bind.go_on')}
        </a>
      </div>
    </>
  );
}

type BindAccountsProps = { bound: DataFor<'readBind'>; folder: string | undefined; user: UserInfo };

/** The two accounts: the user's own, and that of the third party. */
function BindAccounts({ bound, folder, user }: BindAccountsProps) {
  const t = useTranslations();
  const { label, method, name, email, avatar_url } = bound;
  const shown = name || email;
  const of =
    method === null
      ? t(folder ? 'bind.documents' : 'bind.other')
      : t('bind.at', { name: label ?? t('signIn.sso') });
  return (
    <ul className={styles.accounts}>
      <li className={styles.account}>
        <Avatar userId={user.user_id} nickName={user.nick_name} avatarUrl={user.avatar_url} />
        <div className={styles.words}>
          <p className={styles.label}>{t('bind.own')}</p>
          <p className={styles.name}>{userName(user)}</p>
          {user.email && <p className={styles.detail}>{user.email}</p>}
        </div>
      </li>
      <li className={styles.account}>
        {method === null ? (
          <span className={styles.sign}>
            <LinkIcon />
          </span>
        ) : (
          <Avatar userId={undefined} nickName={shown} avatarUrl={avatar_url} />
        )}
        <div className={styles.words}>
          <p className={styles.label}>{of}</p>
          <p className={styles.name}>{shown}</p>
          {email && email !== shown && <p className={styles.detail}>{email}</p>}
          {folder && <p className={styles.detail}>{t('bind.folder', { folder })}</p>}
        </div>
      </li>
    </ul>
  );
}

type BindConfirmProps = {
  /** The user's reauthentication; undefined where binding isn't possible. */
  proof: Proof | undefined;
  attempt: {
    error: ApiError | null;
    isPending: boolean;
    reset: () => void;
    mutate: (proof: TypedProof) => void;
  };
  isRetry: boolean;
  leave: ReactNode;
};

/** Reauthentication and confirmation. */
function BindConfirm({ proof, attempt, isRetry, leave }: BindConfirmProps) {
  const t = useTranslations();
  const isHydrated = useIsHydrated();
  const { pathname, search } = useLocation();
  const typed = useProof(proof ?? 'none', attempt);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!attempt.isPending && typed.check()) attempt.mutate(typed.typed());
  };
  if (proof === undefined || proof === 'sign_in')
    return (
      <>
        {proof && <p className={plain.text}>{t('proof.sign_in_text')}</p>}
        <div className={plain.actions}>
          {proof && (
            <a
              className={buttonClass({ variant: 'primary', size: 'l' })}
              href={signInUrl(`${pathname}${search}`)}
            >
              {t('proof.sign_in')}
            </a>
          )}
          {leave}
        </div>
      </>
    );
  return (
    <form className={styles.form} method="post" noValidate onSubmit={submit}>
      <ProofField proof={proof} value={typed.value} onValueChange={typed.change} error={typed.wrong} />
      <div className={plain.actions}>
        {/* A click before hydration would be lost. */}
        <Button type="submit" variant="primary" size="l" disabled={!isHydrated} busy={attempt.isPending}>
          {t(isRetry ? 'bind.again' : 'bind.confirm')}
        </Button>
        {leave}
      </div>
    </form>
  );
}
