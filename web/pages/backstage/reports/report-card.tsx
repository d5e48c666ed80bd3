import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { Report } from '../../../../shared/entities/site.ts';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Moment } from '../frame/moment.tsx';
import { Person } from '../frame/person.tsx';
import styles from './reports-screen.module.css';

/** How grave what is said of a plugin would be. */
const GRAVITY = {
  malicious: 'negative',
  infringing: 'warning',
  offensive: 'warning',
  misleading: 'warning',
  broken: 'neutral',
  other: 'neutral',
} as const;
const TONES = { open: 'accent', accepted: 'neutral', dismissed: 'neutral' } as const;

type Props = { report: Report; onDecide: () => void };

/** One report: of what, why, by whom, and what was decided. */
export function ReportCard({ report, onDecide }: Props) {
  const t = useTranslations('reports');
  const { plugin_key, plugin_name, is_hidden, kind, reason, reporter, created_at } = report;
  const { state, decision, warning } = report;
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <Link className={styles.plugin} to={pluginPath(plugin_key)}>
          {plugin_name}
        </Link>
        <Badge tone={GRAVITY[kind]}>{t(`kind_${kind}`)}</Badge>
        <Badge tone={TONES[state]}>{t(`badge_${state}`)}</Badge>
        {is_hidden && <Badge>{t('hidden')}</Badge>}
      </div>
      <p className={styles.reason}>{reason}</p>
      <div className={styles.facts}>
        <Person user={reporter} />
        <Moment at={created_at} />
      </div>
      {state === 'open' ? (
        <div className={styles.actions}>
          <Button size="s" variant="primary" onClick={onDecide}>
            {t('decide')}
          </Button>
        </div>
      ) : (
        <div className={styles.decision}>
          <Told label={t('to_reporter')} words={decision ?? t('no_words')} />
          {warning !== null && <Told label={t('to_publisher')} words={warning} />}
          <div className={styles.facts}>
            {report.decided_by && <Person user={report.decided_by} />}
            {report.decided_at && <Moment at={report.decided_at} />}
          </div>
        </div>
      )}
    </li>
  );
}

function Told({ label, words }: { label: string; words: string }) {
  return (
    <div>
      <p className={styles.label}>{label}</p>
      <p className={styles.words}>{words}</p>
    </div>
  );
}
