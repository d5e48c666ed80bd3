import { useTranslations } from 'use-intl';
import type { SignInOffer } from '../../../shared/routes/sign-in.ts';
import { errorText } from '../../api/error-text.ts';
import { Button } from '../../ui/button/button.tsx';
import { FormAlert } from './form-alert.tsx';
import styles from './other-pages.module.css';
import type { SignInParameters } from './sign-in-parameters.ts';
import { useBeginSso } from './use-begin-sso.ts';

type Props = {
  offers: readonly SignInOffer[];
  parameters: SignInParameters;
  /** Nothing else is on offer. */
  alone: boolean;
};

/** Sign-in pages elsewhere that the deployment knows, one button each. */
export function OtherPages({ offers, parameters, alone }: Props) {
  const t = useTranslations();
  const { mutate, variables, isPending, isSuccess, error } = useBeginSso(parameters);
  return (
    <div className={styles.pages}>
      {!alone && <p className={styles.or}>{t('signIn.or')}</p>}
      {error && <FormAlert text={t(`error.${errorText(error)}`)} />}
      {offers.map(({ source, label }) => (
        <Button
          key={source}
          variant={alone ? 'primary' : 'outline'}
          size="l"
          busy={variables === source && (isPending || isSuccess)}
          onClick={() => mutate(source)}
        >
          {t('signIn.continue_with', { name: label ?? t('signIn.sso') })}
        </Button>
      ))}
    </div>
  );
}
