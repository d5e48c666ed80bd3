import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import type { FindingGroup, LinkOf } from './finding-groups.ts';
import { FindingItem } from './finding-item.tsx';
import styles from './findings.module.css';
import { SEVERITY_LOOK } from './severity-look.tsx';

const SHOWN_AT_FIRST = 8;

type FindingSectionProps = { group: FindingGroup; isCounted: boolean; linkOf?: LinkOf | undefined };

/** The findings of one weight. */
export function FindingSection({ group: { severity, findings }, isCounted, linkOf }: FindingSectionProps) {
  const t = useTranslations('finding.list');
  const id = useId();
  const [whole, setWhole] = useState(false);
  const { icon, count } = SEVERITY_LOOK[severity];
  const shown = whole ? findings : findings.slice(0, SHOWN_AT_FIRST);
  const left = findings.length - shown.length;
  return (
    <section className={classNames(styles.section, styles[severity])} aria-labelledby={id}>
      <p id={id} className={isCounted ? styles.unseen : styles.heading}>
        {icon}
        {t(count, { count: findings.length })}
      </p>
      <ul className={styles.items}>
        {shown.map((finding, place) => (
          <FindingItem
            key={`${place} ${finding.code} ${finding.pointer}`}
            finding={finding}
            icon={isCounted ? icon : undefined}
            to={linkOf?.(finding)}
          />
        ))}
      </ul>
      {left > 0 && (
        <Button variant="quiet" size="s" className={styles.more} onClick={() => setWhole(true)}>
          {t('more', { count: left })}
        </Button>
      )}
    </section>
  );
}
