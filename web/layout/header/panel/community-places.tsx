import { useEffect } from 'react';
import { isPrivate } from '../../../../shared/deploy-types.ts';
import { useSite } from '../../../api/site-context.ts';
import { useSiteAddress } from '../../site-address.ts';
import { useLazyComponent } from '../../use-lazy-component.ts';
import type { Place } from '../targets/target.ts';
import styles from './community-places.module.css';
import { PlaceList } from './place-list.tsx';

const loadResources = async () =>
  (await import('../../../features/community/resource-panel.tsx')).ResourcePanel;

type Props = { places: readonly Place[]; onLeave: () => void };

/** The parts of the community, and what is going on there. */
export function CommunityPlaces({ places, onLeave }: Props) {
  const addressOf = useSiteAddress();
  const { deploy_type } = useSite();
  const { part, want } = useLazyComponent(loadResources);
  useEffect(want, []);
  return (
    <div className={styles.community}>
      <PlaceList places={places} layout="column" onLeave={onLeave} />
      <div className={styles.resources}>
        {part && <part.Part addressOf={addressOf} linkedOnly={isPrivate(deploy_type)} />}
      </div>
    </div>
  );
}
