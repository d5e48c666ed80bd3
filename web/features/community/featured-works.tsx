import { useQuery } from '@tanstack/react-query';
import { CAROUSEL_SLIDES } from '../../../shared/constants.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { type AddressOf, communityLink } from './address-of.ts';
import card from './card.module.css';
import { worksQuery } from './community-queries.ts';
import styles from './works.module.css';
import { WorksCarousel } from './works-carousel.tsx';

type Props = { addressOf: AddressOf; linkedOnly: boolean };

/** The featured works of the community; when they cannot be had, nothing is missing. */
export function FeaturedWorks({ addressOf, linkedOnly }: Props) {
  const { data, isPending } = useQuery(worksQuery());
  if (isPending) {
    return (
      <div className={styles.works}>
        <Skeleton className={card.headPlace} />
        <Skeleton shape="block" className={card.frame} />
        <Skeleton className={card.textPlace} />
      </div>
    );
  }
  const works = (data?.work_list ?? []).flatMap((work) => {
    const href = communityLink(work.url, addressOf);
    return href === null || (linkedOnly && href === undefined) ? [] : [{ ...work, href }];
  });
  return works.length > 0 && <WorksCarousel works={works.slice(0, CAROUSEL_SLIDES)} />;
}
