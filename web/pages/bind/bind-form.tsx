import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import type { UserInfo } from '../../../shared/entities/user.ts';
import { isUnauthenticated } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useSite } from '../../api/site-context.ts';
import { ToSignIn } from '../../features/session/to-sign-in.tsx';
import { useCameToLife } from '../../layout/use-came-to-life.ts';
import { Button } from '../../ui/button/button.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import plain from '../sign-in/plain-page.module.css';
import { BindAccounts } from './bind-accounts.tsx';
import { BindDone } from './bind-done.tsx';
import { mayHelpToRetry, refusalOf } from './bind-outcome.ts';
import styles from './bind-page.module.css';
import { type BindParameters, bindPayload, onwardAddress } from './bind-parameters.ts';

type BindFormProps = { parameters: BindParameters; user: UserInfo };

/** Says what would be bound to what, binds it when the person confirms, and tells how that went. */
export function BindForm({ parameters, user }: BindFormProps) {
  const t = useTranslations();
  const site = useSite();
  const isAlive = useCameToLife();
  const onward = onwardAddress(parameters.mainUrl, site);
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => call('bindThirdParty', bindPayload(parameters)),
  });
  if (isSuccess) return <BindDone onward={onward} />;
  if (error && isUnauthenticated(error)) return <ToSignIn>{null}</ToSignIn>;
  const refusal = error ? refusalOf(error) : undefined;
  const canBind = refusal === undefined || mayHelpToRetry(refusal);
  return (
    <>
      <p className={plain.text}>{t('bind.text')}</p>
      <BindAccounts parameters={parameters} user={user} />
      {refusal && (
        <p className={styles.problem} role="alert">
          {t(`bind.${refusal}`)}
        </p>
      )}
      <div className={styles.actions}>
        {canBind && (
          <Button
            variant="primary"
            size="l"
            // A press before the page has come to life would be lost.
            disabled={!isAlive}
            busy={isPending}
            onClick={() => mutate()}
          >
            {t(refusal ? 'bind.again' : 'bind.confirm')}
          </Button>
        )}
        <a className={buttonClass({ variant: 'outline', size: 'l' })} href={onward ?? BASE_PATH}>
          {t(refusal ? (onward ? 'bind.go_on' : 'error.back_home') : 'bind.not_now')}
        </a>
      </div>
    </>
  );
}
