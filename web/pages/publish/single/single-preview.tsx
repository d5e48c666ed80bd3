import { useQuery } from '@tanstack/react-query';
import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import { useCallback, useId, useState, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import type { PluginDetail } from '../../../../shared/entities/plugin.ts';
import type { UserInfo } from '../../../../shared/entities/user.ts';
import { FALLBACK_LANGUAGE, LANGUAGES, type Texts, textIn } from '../../../../shared/languages.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { PluginTitle } from '../../../features/plugins/detail/plugin-title.tsx';
import { PluginCard } from '../../../features/plugins/plugin-card.tsx';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { ViewerProvider } from '../../viewer-provider.tsx';
import { shownPicture } from '../form/files.ts';
import { useForm } from '../form/use-form.ts';
import styles from './single-preview.module.css';

const IS_WIDE = '(width >= 1024px)';
const IS_HIGH = '(min-height: 880px)';

const VIEWS = ['card', 'page'] as const;
type ViewName = (typeof VIEWS)[number];

type PreviewProps = { user: UserInfo };

/**
 * Preview of the plugin for visitors: beside the form with tabs for its two views; collapsed above it on narrow
 * screens.
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

/** The list card, or the head of the plugin's page; inert and hidden from screen readers. */
function PreviewView({ view, ...props }: PreviewProps & { view: ViewName }) {
  const { packageState } = useForm().state;
  const plugin = usePreviewPlugin(props);
  return (
    <ViewerProvider>
      <div className={styles[view]} data-access={packageState.state === 'read' ? 'known' : 'unknown'} inert>
        {view === 'card' ? <PluginCard plugin={plugin} load="soon" /> : <PluginTitle plugin={plugin} />}
      </div>
    </ViewerProvider>
  );
}

const NO_KEY = 'preview-of-nothing';

/** A plugin object from the form's values. */
function usePreviewPlugin({ user }: PreviewProps): PluginDetail {
  const t = useTranslations('publish');
  const { now } = useSite();
  const { state, rules, tags } = useForm();
  const { values, language, files, packageState, plugin } = state;
  const marks = useQuery({
    ...queryOptionsOf('listManagedMarks', {}),
    enabled: rules?.may_mark === true,
  });
  const { user_id, nick_name, avatar_url } = user;
  const inLanguage = (texts: Texts) => textIn(texts, language, values.default_lang);
  const name = inLanguage(values.name);
  const description = inLanguage(values.description);
  const support = inLanguage(values.support);
  const mark = marks.data?.mark_list.find((one) => one.code === values.plugin_mark && !one.is_hidden);
  const markName = mark && textIn(mark.name, language, FALLBACK_LANGUAGE);
  const read = packageState.state === 'read' ? packageState.reading.package : null;
  const at = new Date(now).toISOString();
  return {
    plugin_key: plugin?.plugin_key ?? NO_KEY,
    is_praise: -1,
    is_installed: false,
    name: name.text || t('preview_name'),
    intro: inLanguage(values.intro).text || t('preview_intro'),
    lang: name.text ? name.lang : language,
    icon: shownPicture(files.icon),
    cover: shownPicture(files.cover),
    tags: tags.filter((tag) => values.tags.includes(tag.code)),
    publisher: { user_id, nick_name, avatar_url },
    plugin_mark: values.plugin_mark,
    mark: mark && markName ? { name: markName.text, lang: markName.lang, color: mark.color } : null,
    version: values.version,
    praise_count: 0,
    install_count: 0,
    view_count: 0,
    updated_at: at,
    description: description.text,
    description_lang: description.lang,
    languages: LANGUAGES.filter((one) => one in values.name),
    media: [],
    contact: values.contact,
    support: support.text,
    support_lang: support.lang,
    copyright: { kind: values.copyright_kind, holder: values.copyright_holder },
    allowed_domains: read?.allowed_domains ?? null,
    hosts: read?.hosts ?? [],
    package_bytes: files.code?.size ?? 0,
    audit_status: 1,
    created_at: at,
  };
}

/** Whether a media query matches; true on the server. */
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
