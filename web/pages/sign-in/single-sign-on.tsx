import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import type { SignInOffer } from '../../../shared/routes/sign-in.ts';
import { errorText } from '../../api/error-text.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Button } from '../../ui/button/button.tsx';
import { Spinner } from '../../ui/spinner/spinner.tsx';
import { FormAlert } from './form-alert.tsx';
import styles from './provider-redirect.module.css';
import type { SignInParameters } from './sign-in-parameters.ts';

/** The only sign-in method is another page: redirect immediately. */
export function ProviderRedirect({
  offer,
  parameters,
}: {
  offer: SignInOffer;
  parameters: SignInParameters;
}) {
  const t = useTranslations();
  const { mutate, error } = useStartSso(parameters);
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
  /** Without other methods. */
  alone: boolean;
};

/** Buttons for the deployment's identity providers. */
export function ProviderButtons({ offers, parameters, alone }: Props) {
  const t = useTranslations();
  const { mutate, variables, isPending, isSuccess, error } = useStartSso(parameters);
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
 * Redirects to an identity provider in the whole window, as hardly any can be framed. Returns to where a sign-in in a
 * frame would have led, too.
 */
function useStartSso(parameters: SignInParameters) {
  return useOperation('beginSso', (source: string) => ({ ...parameters, source }), {
    onSuccess: ({ go_to }) => (window.top ?? window).location.assign(go_to),
  });
}
