import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ChevronDownIcon } from '../../../ui/icon/arrow-icons.tsx';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { type PreviewProps, PreviewView, VIEWS, type ViewName } from './preview-view.tsx';
import styles from './single-preview.module.css';
import { useMedia } from './use-media.ts';

const IS_WIDE = '(min-width: 1081px)';
const IS_HIGH = '(min-height: 880px)';

/**
 * The plugin as visitors would see it: beside the form, where there is no room for both views one at a time; on narrow
 * screens folded above it.
 */
export function SinglePreview(props: PreviewProps) {
  const isWide = useMedia(IS_WIDE);
  const isHigh = useMedia(IS_HIGH);
  if (!isWide) return <Folded {...props} />;
  return isHigh ? <Beside {...props} /> : <OneAtATime {...props} />;
}

function Folded(props: PreviewProps) {
  const t = useTranslations('publish');
  return (
    <details className={styles.folded}>
      <summary className={styles.summary}>
        {t('preview')}
        <ChevronDownIcon />
      </summary>
      <Both {...props} />
    </details>
  );
}

function Beside(props: PreviewProps) {
  const t = useTranslations('publish');
  const heading = useId();
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
