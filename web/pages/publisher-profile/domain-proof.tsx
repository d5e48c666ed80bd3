import { useTranslations } from 'use-intl';
import { PROOF_PATH, PROOF_PREFIX, PROOF_RECORD } from '../../../shared/constants.ts';
import type { OwnVerification, ProofResult } from '../../../shared/entities/verification.ts';
import type { DataFor } from '../../api/client.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Button } from '../../ui/button/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './verification.module.css';

type Domain = NonNullable<OwnVerification['domain']>;

/** Both ways to prove a domain, and the check whether one of them is done. */
export function DomainProof({ domain: { domain, token } }: { domain: Domain }) {
  const t = useTranslations('verification');
  const check = useOperation('checkOwnDomain', () => ({}), { keepsDataOnError: true, failsIn: 'toast' });
  return (
    <>
      <p>{t('how', { domain })}</p>
      <h3 className={styles.way}>{t('dns')}</h3>
      <dl className={styles.facts}>
        <Fact name={t('record_name')} text={`${PROOF_RECORD}.${domain}`} />
        <Fact name={t('record_value')} text={PROOF_PREFIX + token} />
      </dl>
      <h3 className={styles.way}>{t('well_known')}</h3>
      <dl className={styles.facts}>
        <Fact name={t('file_address')} text={`https://${domain}${PROOF_PATH}`} />
        <Fact name={t('file_text')} text={token} />
      </dl>
      <div>
        <Button variant="primary" busy={check.isPending} onClick={() => check.mutate()}>
          {t('check')}
        </Button>
      </div>
      <div role="status">
        {check.data && !check.isPending && <Found domain={domain} found={check.data} />}
      </div>
    </>
  );
}

/** A text for the settings of a domain or website. */
function Fact({ name, text }: { name: string; text: string }) {
  const t = useTranslations('verification');
  const common = useTranslations('common');
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>
        <code translate="no">{text}</code>
        <CopyButton
          aria-label={t('copy_named', { name })}
          text={() => text}
          labels={{ idle: t('copy'), copied: common('copied'), failed: common('copy_failed') }}
        />
      </dd>
    </div>
  );
}

const DNS = {
  proved: 'dns_proved',
  missing: 'dns_missing',
  other_token: 'dns_other',
  redirected: 'dns_unreachable',
  unreachable: 'dns_unreachable',
} as const satisfies Record<ProofResult['result'], string>;

const FILE = {
  proved: 'file_proved',
  missing: 'file_missing',
  other_token: 'file_other',
  redirected: 'file_redirected',
  unreachable: 'file_unreachable',
} as const satisfies Record<ProofResult['result'], string>;

/** What a check has found: the mark, or what each place says instead. */
function Found({ domain, found }: { domain: string; found: DataFor<'checkOwnDomain'> }) {
  const t = useTranslations('verification');
  const { dns, well_known, verification } = found;
  if (dns.result === 'proved' || well_known.result === 'proved')
    return verification.verified !== null && <p className={styles.found}>{t('found', { domain })}</p>;
  return (
    <div className={styles.missing}>
      <p className={styles.problem}>{t('not_found')}</p>
      <ul>
        <li>{t(DNS[dns.result], { found: dns.found ?? '' })}</li>
        <li>{t(FILE[well_known.result], { found: well_known.found ?? '' })}</li>
      </ul>
    </div>
  );
}
