import { useQuery, useQueryClient } from '@tanstack/react-query';
import PackageIcon from 'lucide-react/icons/package';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { EditablePlugin } from '../../../../shared/entities/review.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { tagsQuery } from '../../../features/plugins/plugin-queries.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { useSession } from '../../../features/session/use-session.ts';
import { usePageHead } from '../../../layout/page-head.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { Notice } from '../../../ui/notice/notice.tsx';
import { AccessGate } from '../../access-gate.tsx';
import { PageSkeleton } from '../../page-skeleton.tsx';
import { MY_PLUGINS_PATH } from '../publish-paths.ts';
import { SingleForm } from './single-form.tsx';
import styles from './single-page.module.css';

/** Publishes one plugin, or changes one: `?plugin_key=…`, and with `&version=new` to bring a version of it. */
export function SinglePage() {
  const t = useTranslations('publish');
  usePageHead({ title: t('title_new') });
  return (
    <AccessGate needs="publisher">
      <Single />
    </AccessGate>
  );
}

/** Statuses that mean: no such plugin, or somebody else's. An ill-formed key is refused before it is looked for. */
const MISSING: readonly number[] = [400, 403, 404];

/** Reads what the form begins with: tags, rules, and the plugin that is to be edited. */
function Single() {
  const [query] = useSearchParams();
  const { hash } = useLocation();
  const { user } = useSession();
  const client = useQueryClient();
  const pluginKey = query.get('plugin_key') ?? '';
  const isEditing = pluginKey !== '';
  const editable = queryOptionsOf('readEditablePlugin', { plugin_key: pluginKey });
  const plugin = useQuery({ ...editable, enabled: isEditing, staleTime: 0 });
  const tags = useQuery(tagsQuery());
  const rules = useQuery(queryOptionsOf('readPublishRules', {}));
  const [round, setRound] = useState(0);

  if (isEditing && plugin.error) {
    if (MISSING.includes(plugin.error.status)) return <MissingPlugin />;
    return <QueryError error={plugin.error} busy={plugin.isFetching} onRetry={() => void plugin.refetch()} />;
  }
  const isFresh = !isEditing || (plugin.data !== undefined && plugin.isFetchedAfterMount);
  // Once: a service without these calls is asked again after each submission, under what it led to.
  if (!user || !isFresh || !tags.isFetched || !rules.isFetched) return <PageSkeleton />;
  const readNewer = async (): Promise<EditablePlugin | undefined> =>
    client.fetchQuery({ ...editable, staleTime: 0 }).catch(() => undefined);
  return (
    <SingleForm
      key={`${pluginKey} ${round}`}
      user={user}
      plugin={isEditing ? plugin.data : undefined}
      wantsVersion={query.get('version') === 'new' || hash === '#version'}
      rules={rules.data}
      tags={tags.data?.tag_list ?? []}
      readNewer={readNewer}
      onRestart={() => setRound(round + 1)}
    />
  );
}

/** Shown where the plugin to be edited is not there, or is somebody else's. */
function MissingPlugin() {
  const t = useTranslations('publish');
  return (
    <div className={styles.page}>
      <Notice
        as="h1"
        icon={<PackageIcon size={22} />}
        title={t('missing')}
        text={t('missing_text')}
        action={
          <Link to={MY_PLUGINS_PATH} className={buttonClass({ variant: 'primary' })}>
            {t('back')}
          </Link>
        }
      />
    </div>
  );
}
