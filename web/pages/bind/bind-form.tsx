import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { BASE_PATH, TOAST_DURATION } from '../../../shared/constants.ts';
import type { UserInfo } from '../../../shared/entities/user.ts';
import { onwardAddress } from '../../../shared/onward-address.ts';
import { isUnauthenticated } from '../../api/api-error.ts';
import { call, type DataFor } from '../../api/client.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useSite } from '../../api/site-context.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { ToSignIn } from '../../features/session/to-sign-in.tsx';
import { userName } from '../../features/session/user-name.ts';
import { Avatar } from '../../ui/avatar/avatar.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { LinkIcon } from '../../ui/icon/fact-icons.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import plain from '../sign-in/plain-page.module.css';
import { BindConfirm } from './bind-confirm.tsx';
import { isAboutProof, mayHelpToRetry, refusalOf } from './bind-outcome.ts';
import styles from './bind-page.module.css';
import { type BindParameters, bindPayload } from './bind-parameters.ts';

type BindFormProps = { parameters: BindParameters; user: UserInfo };

/** Says what would be bound to what, binds it when the person confirms, and tells how that went. */
export function BindForm({ parameters, user }: BindFormProps) {
  const t = useTranslations();
  const site = useSite();
  const onward = onwardAddress(parameters.mainUrl, site);
  const bind = useQuery(queryOptionsOf('readBind', { id: parameters.id }));
  const attempt = useMutation({
    mutationFn: (proof: { password?: string; code?: string }) =>
      call('bindThirdParty', {
        ...bindPayload(parameters, site),
        ...proof,
        // Another user service gets what its link has brought alone.
        ...(site.own_accounts && { language: site.language }),
      }),
    onError: (error) => {
      if (error.reason === 'REAUTHENTICATION_REQUIRED') void bind.refetch();
    },
  });
  if (attempt.isSuccess) return <BindDone onward={onward} />;
  const error = bind.error ?? attempt.error;
  if (error && isUnauthenticated(error)) return <ToSignIn>{null}</ToSignIn>;
  if (bind.isPending) return <Skeleton className={plain.placeholder} />;
  const refusal = error && !isAboutProof(error, bind.data?.proof) ? refusalOf(error) : undefined;
  if (bind.isError && refusal && mayHelpToRetry(refusal))
    return <QueryError error={bind.error} busy={bind.isFetching} onRetry={() => void bind.refetch()} />;
  const canBind = bind.data !== undefined && (refusal === undefined || mayHelpToRetry(refusal));
  const leave = refusal ? (onward ? 'bind.go_on' : 'error.back_home') : 'bind.not_now';
  return (
    <>
      {bind.data && (
        <>
          <p className={plain.text}>{t('bind.text')}</p>
          <BindAccounts bound={bind.data} folder={parameters.txDocFolderId} user={user} />
        </>
      )}
      {refusal && (
        <p className={styles.problem} role="alert">
          {t(`bind.${refusal}`)}
        </p>
      )}
      <BindConfirm
        proof={canBind ? bind.data.proof : undefined}
        attempt={attempt}
        isAgain={refusal !== undefined}
        leave={
          <a className={buttonClass({ variant: 'outline', size: 'l' })} href={onward ?? BASE_PATH}>
            {t(leave)}
          </a>
        }
      />
    </>
  );
}

/** Tells that the accounts are bound, and goes on to where the person came from, if that may be gone to. */
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
      <div className={styles.actions}>
        <a ref={link} className={buttonClass({ variant: 'primary', size: 'l' })} href={onward ?? BASE_PATH}>
          {t(onward === undefined ? 'error.back_home' : 'bind.go_on')}
        </a>
      </div>
    </>
  );
}

type BindAccountsProps = { bound: DataFor<'readBind'>; folder: string | undefined; user: UserInfo };

/** The two accounts that become one sign-in: the person's own, and that of the third party. */
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
          <Avatar userId={user.user_id + 1} nickName={shown} avatarUrl={avatar_url} />
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
