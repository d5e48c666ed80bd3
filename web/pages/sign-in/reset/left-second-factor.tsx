import { type FormEvent, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { DataFor } from '../../../api/client.ts';
import { CodeField } from '../../../features/second-factor/code-field.tsx';
import { useCode } from '../../../features/second-factor/use-code.ts';
import { useRemoveAfterReset } from '../../../features/second-factor/use-remove-after-reset.ts';
import { Button } from '../../../ui/button/button.tsx';
import { FormAlert } from '../form-alert.tsx';
import plain from '../plain-page.module.css';
import styles from './after-reset.module.css';

type Factor = NonNullable<DataFor<'finishPasswordReset'>['second_factor']>;

/** The second factor that a new password leaves: since when, and the ways to be rid of it. */
export function LeftSecondFactor({ factor }: { factor: Factor }) {
  const t = useTranslations('signIn');
  const format = useFormatter();
  const [isAsked, setAsked] = useState(false);
  const remove = useRemoveAfterReset(factor.token);
  const code = useCode('either', remove);
  const isOver = remove.error?.reason === 'PASSWORD_LINK_INVALID';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!remove.isPending && code.check()) remove.mutate(code.value);
  };
  if (remove.isSuccess)
    return (
      <p className={plain.done} role="status">
        {t('reset_factor_removed')}
      </p>
    );
  const when = format.dateTime(new Date(factor.since), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <section className={styles.section}>
      <h2 className={styles.title}>{t('reset_factor_title')}</h2>
      <p className={styles.text}>{t('reset_factor_text', { when })}</p>
      {factor.is_required && <p className={styles.text}>{t('reset_factor_required')}</p>}
      {!factor.is_required && !isAsked && (
        <Button variant="outline" size="l" onClick={() => setAsked(true)}>
          {t('reset_factor_remove')}
        </Button>
      )}
      {isAsked && (
        <form className={styles.form} method="post" noValidate onSubmit={submit}>
          {code.failure && <FormAlert text={isOver ? t('reset_factor_over') : code.failure} />}
          <CodeField kind="either" value={code.value} onValueChange={code.change} error={code.wrong} />
          <Button type="submit" variant="outline" size="l" busy={remove.isPending} disabled={isOver}>
            {t('reset_factor_remove')}
          </Button>
        </form>
      )}
    </section>
  );
}
