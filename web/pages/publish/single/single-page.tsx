import { useQuery, useQueryClient } from '@tanstack/react-query';
import PackageIcon from 'lucide-react/icons/package';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { EditablePlugin } from '../../../../shared/entities/review.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { tagsQuery } from '../../../features/plugins/plugin-queries.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { useLastSession } from '../../../features/session/use-session.ts';
import { usePageHead } from '../../../layout/page-head.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { Notice } from '../../../ui/notice/notice.tsx';
import { AccessGate } from '../../access-gate/access-gate.tsx';
import { PageSkeleton } from '../../page-skeleton.tsx';
import { MY_PLUGINS_PATH } from '../publish-paths.ts';
import { SingleForm } from './single-form.tsx';
import styles from './single-page.module.css';

/** Publishes or edits one plugin: `?plugin_key=…`, and with `&version=new` for a new version. */
export function SinglePage() {
  const t = useTranslations('publish');
  usePageHead({ title: t('title_new') });
  return (
    <AccessGate needs="publisher">
      <Single />
    </AccessGate>
  );
}

/** Statuses for a missing plugin, or another publisher's. A malformed key is rejected before the lookup. */
const MISSING: readonly number[] = [400, 403, 404];

/** Loads the form's initial data: tags, rules, and the plugin to edit. */
function Single() {
  const [query] = useSearchParams();
  const { hash } = useLocation();
  const { user } = useLastSession();
  const client = useQueryClient();
  const pluginKey = query.get('plugin_key') ?? '';
  const isEditing = pluginKey !== '';
  const editable = queryOptionsOf('readEditablePlugin', { plugin_key: pluginKey });
  const plugin = useQuery({ ...editable, enabled: isEditing, staleTime: 0 });
  const tags = useQuery(tagsQuery());
  const rules = useQuery(queryOptionsOf('readPublishRules', {}));
  const [round, setRound] = useState(0);

  // A form with input stays, whatever later becomes of the plugin or the network.
  if (isEditing && !plugin.data && plugin.error) {
    if (MISSING.includes(plugin.error.status)) return <MissingPlugin />;
    return <QueryError error={plugin.error} busy={plugin.isFetching} onRetry={() => void plugin.refetch()} />;
  }
  const isFresh = !isEditing || (plugin.data !== undefined && plugin.isFetchedAfterMount);
  // Fixed at mount: otherwise a service without these calls would be asked again after each submission.
  if (!user || !isFresh || !tags.isFetched || !rules.isFetched) return <PageSkeleton />;
  const readNewer = async (): Promise<EditablePlugin | undefined> =>
    client.fetchQuery({ ...editable, staleTime: 0 }).catch(() => undefined);
  return (
    <SingleForm
      key={`${pluginKey} ${round}`}
      user={user}
      plugin={isEditing ? plugin.data : undefined}
      startsWithVersion={query.get('version') === 'new' || hash === '#version'}
      rules={rules.data}
      tags={tags.data?.tag_list ?? []}
      readNewer={readNewer}
      onRestart={() => setRound(round + 1)}
    />
  );
}

/** Shown when the plugin to edit doesn't exist or belongs to another publisher. */
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
