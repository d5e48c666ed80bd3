import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { SecondFactorState } from '../../../../shared/routes/second-factor.ts';
import { RecoveryCodes } from '../../../features/second-factor/recovery-codes.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { RenewDialog } from './renew-dialog.tsx';
import styles from './second-factor-section.module.css';
import { TurnOffDialog } from './turn-off-dialog.tsx';
import { useStateAnew } from './use-own-second-factor.ts';

/** The second factor is on: since when, the recovery codes that are left, and the ways to change it. */
export function TurnedOn({ state, since }: { state: SecondFactorState; since: string }) {
  const t = useTranslations('account');
  const format = useFormatter();
  const readAnew = useStateAnew();
  const [asked, setAsked] = useState<'renew' | 'off'>();
  const [codes, setCodes] = useState<string[]>();
  const { recovery_codes_left: left, is_required: isRequired } = state;
  const close = (): void => setAsked(undefined);
  const keep = (made: string[]): void => {
    close();
    setCodes(made);
  };
  const done = (): void => {
    setCodes(undefined);
    readAnew();
  };
  if (codes) return <RecoveryCodes codes={codes} doneLabel={t('second_factor_done')} onDone={done} />;
  return (
    <div className={styles.panel}>
      <p className={styles.facts}>
        <Badge tone="positive">{t('second_factor_on')}</Badge>
        <span>
          {t('second_factor_since', { when: format.dateTime(new Date(since), { dateStyle: 'medium' }) })}
        </span>
        <span className={left === 0 ? styles.short : undefined}>
          {left === 0 ? t('second_factor_none_left') : t('second_factor_left', { count: left })}
        </span>
      </p>
      {isRequired && <p>{t('second_factor_required')}</p>}
      <div className={styles.actions}>
        <Button variant="outline" onClick={() => setAsked('renew')}>
          {t('second_factor_renew')}
        </Button>
        {!isRequired && (
          <Button variant="outline" onClick={() => setAsked('off')}>
            {t('second_factor_turn_off')}
          </Button>
        )}
      </div>
      {asked === 'renew' && <RenewDialog onCodes={keep} onClose={close} />}
      {asked === 'off' && <TurnOffDialog onClose={close} />}
    </div>
  );
}
