import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import type { SignInOffer } from '../../../shared/routes/sign-in.ts';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { Button } from '../../ui/button/button.tsx';
import { Spinner } from '../../ui/spinner/spinner.tsx';
import { FormAlert } from './form-alert.tsx';
import type { SignInParameters } from './sign-in-parameters.ts';
import styles from './straight-there.module.css';

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

/**
 * Goes to another sign-in page, in the whole window: hardly any of them lets itself be framed. It leads back to where a
 * sign-in in a frame would have led, too.
 */
function useBeginSso(parameters: SignInParameters) {
  return useMutation({
    mutationFn: (source: string) => call('beginSso', { ...parameters, source }),
    onSuccess: ({ go_to }) => (window.top ?? window).location.assign(go_to),
  });
}
