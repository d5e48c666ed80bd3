import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { useFormatter, useTranslations } from 'use-intl';
import { DOMAIN_LENGTH } from '../../../shared/constants.ts';
import type { OwnVerification } from '../../../shared/entities/verification.ts';
import { isVisible } from '../../../shared/visible-text.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useOperation } from '../../api/use-operation.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { VerifiedMark } from '../../features/publishers/index.ts';
import { Button } from '../../ui/button/button.tsx';
import { FormTextField } from '../../ui/form-fields.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { DomainProof } from './domain-proof.tsx';
import { RemoveDomain } from './remove-domain.tsx';
import styles from './verification.module.css';

/** How a publisher gets the mark of verified ones: a domain that says that it is theirs. */
export function Verification() {
  const t = useTranslations('verification');
  const id = useId();
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('readOwnVerification', {}));
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {t('title')}
        {typeof data?.verified === 'string' && <VerifiedMark verified={data.verified} size={20} />}
      </h2>
      <p className={styles.lead}>{t('lead')}</p>
      {data ? (
        <Known verification={data} />
      ) : error ? (
        <QueryError error={error} busy={isFetching} onRetry={refetch} />
      ) : (
        <Skeleton shape="block" className={styles.place} />
      )}
    </section>
  );
}

function Known({ verification: { decision, domain } }: { verification: OwnVerification }) {
  const t = useTranslations('verification');
  const format = useFormatter();
  const dateOf = (at: string) => format.dateTime(new Date(at), { dateStyle: 'medium' });
  return (
    <>
      {decision && (
        <p className={styles.note}>
          {t(decision.is_verified ? 'given' : 'taken', { reason: decision.reason })}
        </p>
      )}
      {domain === null && <DomainForm />}
      {domain?.verified_at && (
        <p>{t('since', { domain: domain.domain, when: dateOf(domain.verified_at) })}</p>
      )}
      {domain?.ends_at && (
        <p className={styles.problem} role="status">
          {t('ending', { when: dateOf(domain.ends_at) })}
        </p>
      )}
      {domain && <DomainProof key={domain.token} domain={domain} />}
      {domain && <RemoveDomain domain={domain.domain} />}
    </>
  );
}

function DomainForm() {
  const t = useTranslations('verification');
  const { control, handleSubmit, setError, formState } = useForm({ defaultValues: { domain: '' } });
  const refused = t('domain_refused');
  const { mutate, isPending } = useOperation(
    'setOwnDomain',
    ({ domain }: { domain: string }) => ({ domain }),
    {
      keepsDataOnError: true,
      failsIn: { setError },
      errorMessages: { DOMAIN_REFUSED: { at: 'domain', text: refused } },
    },
  );
  const check = (typed: string): string | undefined => {
    if (!isVisible(typed)) return t('domain_missing');
    return typed.length > DOMAIN_LENGTH ? refused : undefined;
  };
  const submit = handleSubmit((values) => {
    if (!isPending) mutate(values);
  });
  const { root } = formState.errors;
  return (
    <form className={styles.form} method="post" noValidate onSubmit={(event) => void submit(event)}>
      <FormTextField
        control={control}
        name="domain"
        check={check}
        label={t('domain')}
        hint={t('domain_hint')}
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
      />
      {root && (
        <p className={styles.problem} role="alert">
          {root.message}
        </p>
      )}
      <div>
        <Button type="submit" variant="outline" busy={isPending}>
          {t('start')}
        </Button>
      </div>
    </form>
  );
}
