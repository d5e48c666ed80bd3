import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { QUEUE_PLACES } from '../../../shared/constants.ts';
import type { QueuePlace } from '../../../shared/entities/review.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import styles from './queue-note.module.css';

const DAY_HOURS = 24;

type QueueNoteProps = {
  queue: QueuePlace;
  /** The next step is shown elsewhere on the page. */
  isShort?: boolean;
};

/** A submission's position in the review queue, the usual waiting time, and the next step. */
export function QueueNote({ queue, isShort = false }: QueueNoteProps) {
  const t = useTranslations('myPlugins');
  const { place, place_estimated, usual_wait_hours: hours, is_late } = queue;
  return (
    <div className={styles.note}>
      <p className={styles.place}>
        {place_estimated
          ? t('queue_before_many', { count: QUEUE_PLACES })
          : place === 1
            ? t('queue_next')
            : t('queue_before', { count: place - 1 })}
      </p>
      {hours !== null && (
        <p>
          {hours < DAY_HOURS
            ? t('queue_usual_hours', { count: hours })
            : t('queue_usual_days', { count: Math.round(hours / DAY_HOURS) })}
        </p>
      )}
      {is_late && <p>{t('queue_late')}</p>}
      {!isShort && <p>{t('queue_then')}</p>}
    </div>
  );
}

const queueOfPluginQuery = (plugin_key: string) => ({
  ...queryOptionsOf('readEditablePlugin', { plugin_key }),
  staleTime: 0,
  retry: false,
});

/** Whether it is known if `QueueOfPlugin` shows something. */
export function useIsQueueKnown(pluginKey: string): boolean {
  return !useQuery(queueOfPluginQuery(pluginKey)).isPending;
}

/** The same for a plugin; nothing when nothing is pending or the service has no queue. */
export function QueueOfPlugin({ pluginKey, isShort = false }: { pluginKey: string; isShort?: boolean }) {
  const { data } = useQuery(queueOfPluginQuery(pluginKey));
  return data?.queue ? <QueueNote queue={data.queue} isShort={isShort} /> : null;
}
