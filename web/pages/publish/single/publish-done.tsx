import CheckIcon from 'lucide-react/icons/check';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { PublishResult } from '../../../../shared/entities/review.ts';
import { FindingList } from '../../../features/findings/finding-list.tsx';
import { QueueOfPlugin } from '../../../features/own-plugins/queue-note.tsx';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { MY_PLUGINS_PATH } from '../publish-paths.ts';
import styles from './publish-done.module.css';

const STATES = { 1: 'unaudited', 2: 'passed', 3: 'refused' } as const;

type PublishDoneProps = { result: PublishResult; isNew: boolean; onRestart: () => void };

/** Result of a submission: what was submitted, review status, findings, and next steps. */
export function PublishDone({ result, isNew, onRestart }: PublishDoneProps) {
  const t = useTranslations('publish');
  const status = useTranslations('status');
  const heading = useRef<HTMLHeadingElement>(null);
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
      </dl>
      {audit_status === AUDIT_WAITING && plugin_key !== '' && (
        <div className={styles.queue}>
          <QueueOfPlugin pluginKey={plugin_key} isShort />
        </div>
      )}
      <div className={styles.actions}>
        <Link className={buttonClass({ variant: 'primary', size: 'l' })} to={MY_PLUGINS_PATH}>
          {t('done_my_plugins')}
        </Link>
        {plugin_key !== '' && (
          <Link className={buttonClass({ variant: 'outline', size: 'l' })} to={pluginPath(plugin_key)}>
            {t('done_page')}
          </Link>
        )}
        <Button variant="outline" size="l" onClick={onRestart}>
          {t(isNew ? 'done_another' : 'done_edit')}
        </Button>
      </div>
      {findings.length > 0 && (
        <div className={styles.findings}>
          <h2 className={styles.heading}>{t('done_findings')}</h2>
          <p className={styles.lead}>{t('done_findings_text')}</p>
          <FindingList findings={findings} />
        </div>
      )}
    </section>
  );
}
