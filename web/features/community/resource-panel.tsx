import { useQuery } from '@tanstack/react-query';
import ArrowRightIcon from 'lucide-react/icons/arrow-right';
import { useTranslations } from 'use-intl';
import { ACTIVITY_ID, CAROUSEL_SLIDES } from '../../../shared/constants.ts';
import type { ActivityInfo } from '../../../shared/entities/site.ts';
import { siteLink } from '../../../shared/site-link.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import card from './card.module.css';
import styles from './resource-panel.module.css';
import worksStyles from './works.module.css';
import { ShownCount, WorksCarousel } from './works-carousel.tsx';

type Props = {
  addressOf: AddressOf;
  /** Hides links without a target: private sites may have no community. */
  linkedOnly: boolean;
};

/** Featured works and the activity card beside the links of the header's community menu (R 11.6). */
export function ResourcePanel(props: Props) {
  return (
    <div className={styles.panel}>
      <FeaturedWorks {...props} />
      <ActivityCard {...props} />
    </div>
  );
}

type FeaturedWorksProps = { addressOf: AddressOf; linkedOnly: boolean };

/** The featured works of the community; hidden when they fail to load. */
function FeaturedWorks({ addressOf, linkedOnly }: FeaturedWorksProps) {
  const { data, isPending } = useQuery(worksQuery());
  if (isPending) {
    return (
      <div className={worksStyles.works}>
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

type ActivityCardProps = { addressOf: AddressOf; linkedOnly: boolean };

/** The community's activity; hidden without a message when it fails to load (R 11.7). */
function ActivityCard({ addressOf, linkedOnly }: ActivityCardProps) {
  const { data, isPending } = useQuery(activityQuery());
  if (isPending) {
    return (
      <div className={styles.card}>
        <Skeleton className={card.headPlace} />
        <Skeleton shape="block" className={card.frame} />
        <Skeleton className={card.textPlace} />
      </div>
    );
  }
  if (!data) return null;
  const href = communityLink(data.tutorial_url, addressOf) ?? undefined;
  return linkedOnly && href === undefined ? null : <Activity activity={data} href={href} />;
}

function Activity({ activity, href }: { activity: ActivityInfo; href: string | undefined }) {
  const t = useTranslations('community');
  const cover = siteLink(activity.cover);
  return (
    <section className={styles.card}>
      <div className={card.head}>
        <p className={card.heading}>{t('activity')}</p>
      </div>
      {cover && (
        <span className={card.frame}>
          <img className={styles.picture} src={cover} decoding="async" alt="" />
        </span>
      )}
      <dl className={styles.counts}>
        <Stat name={t('participants')} value={activity.participate_num} />
        <Stat name={t('views')} value={activity.view_num} />
      </dl>
      {href !== undefined && (
        <a className={styles.link} href={href}>
          {t('tutorial')}
          <ArrowRightIcon size={14} />
        </a>
      )}
    </section>
  );
}

function Stat({ name, value }: { name: string; value: number }) {
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd>
        <ShownCount value={value} />
      </dd>
    </div>
  );
}

const worksQuery = () => queryOptionsOf('listFeaturedWorks', {});
const activityQuery = () => queryOptionsOf('readActivity', { activity_id: ACTIVITY_ID });

/** Maps a path of the wider site to a link on this page; undefined where no such page exists. */
type AddressOf = (path: string) => string | undefined;

/** The target of a link from the service: undefined where no such page exists, null for an unsafe URL. */
function communityLink(link: string, addressOf: AddressOf): string | undefined | null {
  const checked = siteLink(link);
  return checked?.startsWith('/') ? addressOf(checked) : checked;
}
