import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { ACCOUNT_PATH } from '../../../shared/constants.ts';
import type { TypedProof } from '../../../shared/entities/sign-in.ts';
import { FALLBACK_LANGUAGE, LANGUAGES, type Language } from '../../../shared/languages.ts';
import { isMailAddress } from '../../../shared/mail-address.ts';
import type { OwnAddress } from '../../../shared/routes/account.ts';
import type { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useOperation } from '../../api/use-operation.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { ProofField, useProof } from '../../features/second-factor/code-field.tsx';
import { signInUrl } from '../../features/session/sign-in-url.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { AccountSection } from './account-section.tsx';
import styles from './address-section.module.css';

const EMAIL_MAX = 254;

/** The viewer's e-mail address, its verification, and changing it. */
export function AddressSection() {
  const t = useTranslations('account');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('readAddress', {}));
  return (
    <AccountSection title={t('address_title')} lead={t('address_lead')}>
      {!data && !error && <Skeleton shape="block" className={styles.place} />}
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {data && <Address address={data} />}
    </AccountSection>
  );
}

/** The page's language, for mails. */
export function useMailLanguage(): Language {
  const locale = useLocale();
  return LANGUAGES.find((known) => known === locale) ?? FALLBACK_LANGUAGE;
}

function Address({ address }: { address: OwnAddress }) {
  const { email, verified_at, can_verify, new_email, can_change } = address;
  const t = useTranslations();
  const language = useMailLanguage();
  const [isChanging, setChanging] = useState(false);
  const { mutate, error, isPending, isSuccess } = useOperation('askAddressLink', () => ({ language }));
  const isOpen = verified_at === null && can_verify;
  return (
    <div className={styles.panel}>
      <p className={styles.line}>
        <span className={styles.address}>{email || t('account.address_none')}</span>
        {verified_at !== null && <Badge tone="positive">{t('account.address_proved')}</Badge>}
        {isOpen && <Badge tone="warning">{t('account.address_open')}</Badge>}
      </p>
      {isOpen && <p>{t('account.address_open_text')}</p>}
      {isSuccess && <p role="status">{t('account.address_sent', { email })}</p>}
      {new_email !== null && <p role="status">{t('account.address_waiting', { email: new_email })}</p>}
      {error && <Problem error={error} />}
      {isChanging && <ChangeForm address={address} onClose={() => setChanging(false)} />}
      {!can_change && <p className={styles.note}>{t('account.address_no_mail')}</p>}
      {!isChanging && (isOpen || can_change) && (
        <div className={styles.buttons}>
          {isOpen && (
            <Button variant="outline" busy={isPending} onClick={() => mutate()}>
              {t('account.address_send')}
            </Button>
          )}
          {can_change && (
            <Button variant="outline" onClick={() => setChanging(true)}>
              {t('account.address_change')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function Problem({ error }: { error: ApiError }) {
  const t = useTranslations();
  const isEarly = error.reason === 'TOO_MANY_REQUESTS' && error.retryAfter !== undefined;
  return (
    <p className={styles.problem} role="alert">
      {isEarly
        ? t('account.password_too_many', { seconds: error.retryAfter ?? 0 })
        : t(`error.${errorText(error)}`)}
    </p>
  );
}

function ChangeForm({ address: { proof }, onClose }: { address: OwnAddress; onClose: () => void }) {
  const t = useTranslations();
  const language = useMailLanguage();
  const [email, setEmail] = useState('');
  const [isMissing, setMissing] = useState(false);
  const attempt = useOperation(
    'askNewAddress',
    (typed: TypedProof) => ({ email: email.trim(), language, ...typed }),
    { keepsDataOnError: true, onSuccess: onClose },
  );
  const typed = useProof(proof, attempt);
  const hasGap = !isMailAddress(email.trim());
  const isRefused = attempt.error?.details.some(({ pointer }) => pointer === '/email') === true;
  const isSame = attempt.error?.reason === 'CONFLICT';
  const emailProblem = (): string | undefined => {
    if ((isMissing && hasGap) || isRefused) return t('account.address_new_missing');
    return isSame ? t('account.address_same') : undefined;
  };
  const send = (): void => {
    if (proof === 'sign_in') {
      location.assign(signInUrl(ACCOUNT_PATH));
      return;
    }
    setMissing(hasGap);
    if (typed.check() && !hasGap && !attempt.isPending) attempt.mutate(typed.typed());
  };
  const isFieldError =
    emailProblem() !== undefined ||
    typed.wrong !== undefined ||
    attempt.error?.reason === 'REAUTHENTICATION_REQUIRED';
  return (
    <div className={styles.panel}>
      <p>{t(proof === 'sign_in' ? 'proof.sign_in_text' : 'account.address_change_text')}</p>
      {proof !== 'sign_in' && (
        <TextField
          label={t('account.address_new')}
          type="email"
          name="email"
          autoComplete="email"
          maxLength={EMAIL_MAX}
          value={email}
          onValueChange={(value) => {
            setEmail(value);
            setMissing(false);
            if (attempt.error) attempt.reset();
          }}
          onEnter={send}
          error={emailProblem()}
          required
        />
      )}
      <ProofField
        proof={proof}
        value={typed.value}
        onValueChange={typed.change}
        error={typed.wrong}
        onEnter={send}
      />
      {attempt.error && !isFieldError && <Problem error={attempt.error} />}
      <div className={styles.buttons}>
        <Button variant="primary" busy={attempt.isPending} onClick={send}>
          {t(proof === 'sign_in' ? 'proof.sign_in' : 'account.address_change_send')}
        </Button>
        <Button variant="outline" disabled={attempt.isPending} onClick={onClose}>
          {t('common.cancel')}
        </Button>
      </div>
    </div>
  );
}
