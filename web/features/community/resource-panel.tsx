import { ActivityCard } from './activity-card.tsx';
import type { AddressOf } from './address-of.ts';
import { FeaturedWorks } from './featured-works.tsx';
import styles from './resource-panel.module.css';

type Props = {
  addressOf: AddressOf;
  /** Shows nothing that leads nowhere, as on private sites, which may have no community of their own. */
  linkedOnly: boolean;
};

/**
 * What the header's menu of the resource community shows beside its links: featured works and the activity card
 * (specification section 2).
 */
export function ResourcePanel(props: Props) {
  return (
    <div className={styles.panel}>
      <FeaturedWorks {...props} />
      <ActivityCard {...props} />
    </div>
  );
}
