import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import type { SignInOffer } from '../../../shared/routes/sign-in.ts';
import { errorText } from '../../api/error-text.ts';
import { Button } from '../../ui/button/button.tsx';
import { Spinner } from '../../ui/spinner/spinner.tsx';
import { FormAlert } from './form-alert.tsx';
import type { SignInParameters } from './sign-in-parameters.ts';
import styles from './straight-there.module.css';
import { useBeginSso } from './use-begin-sso.ts';

/** The only way to sign in is another page: there is nothing to choose, so it is gone to at once. */
export function StraightThere({ offer, parameters }: { offer: SignInOffer; parameters: SignInParameters }) {
  const t = useTranslations();
  const { mutate, error } = useBeginSso(parameters);
  useEffect(() => mutate(offer.source), [mutate, offer.source]);
  if (!error)
    return (
      <p className={styles.going} role="status">
        <Spinner />
        {t('signIn.going_to', { name: offer.label ?? t('signIn.sso') })}
      </p>
    );
  return (
    <div className={styles.failed}>
      <FormAlert text={t(`error.${errorText(error)}`)} />
      <Button variant="primary" size="l" onClick={() => mutate(offer.source)}>
        {t('list.retry')}
      </Button>
    </div>
  );
}
