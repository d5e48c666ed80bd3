import { ActivityCard } from './activity-card.tsx';
import type { AddressOf } from './address-of.ts';
import { FeaturedWorks } from './featured-works.tsx';
import styles from './resource-panel.module.css';

/**
 * What the header's menu of the resource community shows beside its links: featured works and the activity card
 * (specification section 2).
 */
export function ResourcePanel({ addressOf }: { addressOf: AddressOf }) {
  return (
    <div className={styles.panel}>
      <FeaturedWorks addressOf={addressOf} />
      <ActivityCard addressOf={addressOf} />
    </div>
  );
}
