import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import type { UserInfo } from '../../../shared/entities/user.ts';
import { onwardAddress } from '../../../shared/onward-address.ts';
import { isUnauthenticated } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useSite } from '../../api/site-context.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { ToSignIn } from '../../features/session/to-sign-in.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import plain from '../sign-in/plain-page.module.css';
import { BindAccounts } from './bind-accounts.tsx';
import { BindConfirm } from './bind-confirm.tsx';
import { BindDone } from './bind-done.tsx';
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
