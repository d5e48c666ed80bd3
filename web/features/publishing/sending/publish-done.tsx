import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { PublishResult } from '../../../../shared/entities/review.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { CheckIcon } from '../../../ui/icon/action-icons.tsx';
import { useForm } from '../publish-form-context.ts';
import styles from './publish-done.module.css';

const STATES = { 1: 'unaudited', 2: 'passed', 3: 'refused' } as const;

type PublishDoneProps = {
  result: PublishResult;
  /** What one can do next. */
  actions: ReactNode;
  showQueue: (pluginKey: string) => ReactNode;
};

/** What happened: what was handed in, in which state it is, what was found, and what comes next. */
export function PublishDone({ result, actions, showQueue }: PublishDoneProps) {
  const t = useTranslations('publish');
  const status = useTranslations('status');
  const heading = useRef<HTMLHeadingElement>(null);
  const { showFindings } = useForm();
  useEffect(() => {
    heading.current?.focus();
    scrollTo({ top: 0 });
  }, []);
  const { version, audit_status, findings, plugin_key } = result;
  return (
    <section className={styles.done}>
      <span className={styles.icon}>
        <CheckIcon size={26} />
      </span>
      <h1 ref={heading} tabIndex={-1} className={styles.title}>
        {t('done')}
      </h1>
      <p className={styles.text}>{t(`done_${STATES[audit_status]}`)}</p>
      <dl className={styles.facts}>
        {version !== '' && (
          <div>
            <dt>{t('version')}</dt>
            <dd>{version}</dd>
          </div>
        )}
        <div>
          <dt>{t('done_state')}</dt>
          <dd>
            <Badge tone={audit_status === 2 ? 'positive' : audit_status === 3 ? 'negative' : 'warning'}>
              {status(STATES[audit_status])}
            </Badge>
          </dd>
        </div>
        {plugin_key !== '' && (
          <div>
            <dt>{t('done_key')}</dt>
            <dd>
              <code>{plugin_key}</code>
            </dd>
          </div>
        )}
      </dl>
      {audit_status === AUDIT_WAITING && plugin_key !== '' && (
        <div className={styles.queue}>{showQueue(plugin_key)}</div>
      )}
      <div className={styles.actions}>{actions}</div>
      {findings.length > 0 && (
        <div className={styles.findings}>
          <h2 className={styles.heading}>{t('done_findings')}</h2>
          <p className={styles.lead}>{t('done_findings_text')}</p>
          {showFindings(findings)}
        </div>
      )}
    </section>
  );
}
