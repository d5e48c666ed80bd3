import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ActivityInfo } from '../../../shared/entities/site.ts';
import { siteLink } from '../../../shared/site-link.ts';
import { ArrowRightIcon } from '../../ui/icon/way-icons.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './activity.module.css';
import { type AddressOf, communityLink } from './address-of.ts';
import card from './card.module.css';
import { activityQuery } from './community-queries.ts';
import { ShownCount } from './shown-count.tsx';

type Props = { addressOf: AddressOf; linkedOnly: boolean };

/** The community's activity; when it cannot be had, nothing is said (specification section 8). */
export function ActivityCard({ addressOf, linkedOnly }: Props) {
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
        <Figure name={t('participants')} value={activity.participate_num} />
        <Figure name={t('views')} value={activity.view_num} />
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

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd>
        <ShownCount value={value} />
      </dd>
    </div>
  );
}
