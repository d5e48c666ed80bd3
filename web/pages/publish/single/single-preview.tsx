import { useQuery } from '@tanstack/react-query';
import { useCallback, useId, useState, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import type { UserInfo } from '../../../../shared/entities/user.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { PluginTitle } from '../../../features/plugins/detail/plugin-title.tsx';
import { PluginCard } from '../../../features/plugins/plugin-card.tsx';
import type { PublishForm } from '../../../features/publishing/use-publish-form.ts';
import { ChevronDownIcon } from '../../../ui/icon/arrow-icons.tsx';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { VisitorGate } from '../../visitor-gate.tsx';
import { previewPlugin } from './preview-plugin.ts';
import styles from './single-preview.module.css';

const IS_WIDE = '(min-width: 1081px)';
const IS_HIGH = '(min-height: 880px)';

const VIEWS = ['card', 'page'] as const;
type ViewName = (typeof VIEWS)[number];

type PreviewProps = { form: PublishForm; user: UserInfo };

/**
 * The plugin as visitors would see it: beside the form, where there is no room for both views one at a time; on narrow
 * screens folded above it.
 */
export function SinglePreview(props: PreviewProps) {
  const t = useTranslations('publish');
  const heading = useId();
  const isWide = useMedia(IS_WIDE);
  const isHigh = useMedia(IS_HIGH);
  if (!isWide)
    return (
      <details className={styles.folded}>
        <summary className={styles.summary}>
          {t('preview')}
          <ChevronDownIcon />
        </summary>
        <Both {...props} />
      </details>
    );
  if (!isHigh) return <OneAtATime {...props} />;
  return (
    <aside className={styles.aside} aria-labelledby={heading}>
      <h2 id={heading} className={styles.heading}>
        {t('preview')}
      </h2>
      <Both {...props} />
    </aside>
  );
}

function OneAtATime(props: PreviewProps) {
  const t = useTranslations('publish');
  const panel = useId();
  const [view, setView] = useState<ViewName>('card');
  return (
    <aside className={styles.aside} aria-label={t('preview')}>
      <Tabs
        label={t('preview')}
        tabs={VIEWS.map((id) => ({ id, label: t(`preview_${id}`) }))}
        value={view}
        onChange={setView}
        panel={panel}
      />
      <div id={panel} role="tabpanel" aria-label={t(`preview_${view}`)}>
        <PreviewView {...props} view={view} />
      </div>
    </aside>
  );
}

function Both(props: PreviewProps) {
  const t = useTranslations('publish');
  return (
    <div className={styles.views}>
      {VIEWS.map((view) => (
        <figure key={view} className={styles.figure}>
          <figcaption className={styles.caption}>{t(`preview_${view}`)}</figcaption>
          <PreviewView {...props} view={view} />
        </figure>
      ))}
    </div>
  );
}

/** The card of a list, or the head of the plugin's page. Nothing in it can be pressed, and it is not read out. */
function PreviewView({ form, user, view }: PreviewProps & { view: ViewName }) {
  const t = useTranslations('publish');
  const { now } = useSite();
  const marks = useQuery({
    ...queryOptionsOf('listManagedMarks', {}),
    enabled: form.subject.rules?.may_mark === true,
  });
  const { user_id, nick_name, avatar_url } = user;
  const plugin = previewPlugin({
    form,
    now,
    marks: marks.data?.mark_list ?? [],
    publisher: { user_id, nick_name, avatar_url },
    placeholders: { name: t('preview_name'), intro: t('preview_intro') },
  });
  return (
    <VisitorGate>
      <div
        className={styles[view]}
        data-access={form.code.state.state === 'read' ? 'known' : 'unknown'}
        inert
      >
        {view === 'card' ? <PluginCard plugin={plugin} load="soon" /> : <PluginTitle plugin={plugin} />}
      </div>
    </VisitorGate>
  );
}

/** Whether a media query matches; true where there is no screen. */
function useMedia(query: string): boolean {
  const listen = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(
    listen,
    () => matchMedia(query).matches,
    () => true,
  );
}
