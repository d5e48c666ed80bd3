import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { UserInfo } from '../../../../shared/entities/user.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { PluginTitle } from '../../../features/plugins/detail/plugin-title.tsx';
import { PluginCard } from '../../../features/plugins/plugin-card.tsx';
import { previewPlugin } from '../../../features/publishing/preview-plugin.ts';
import type { PublishForm } from '../../../features/publishing/use-publish-form.ts';
import { VisitorGate } from '../../visitor-gate.tsx';
import styles from './single-preview.module.css';

export const VIEWS = ['card', 'page'] as const;
export type ViewName = (typeof VIEWS)[number];

export type PreviewProps = { form: PublishForm; user: UserInfo };

/** The card of a list, or the head of the plugin's page. Nothing in it can be pressed, and it is not read out. */
export function PreviewView({ form, user, view }: PreviewProps & { view: ViewName }) {
  const t = useTranslations('publish');
  const { now } = useSite();
  const marks = useQuery({
    ...queryOptionsOf('listManagedMarks', {}),
    enabled: form.rules?.may_mark === true,
  });
  const { user_id, nick_name, avatar_url } = user;
  const plugin = previewPlugin({
    ...form,
    now,
    marks: marks.data?.mark_list ?? [],
    publisher: { user_id, nick_name, avatar_url },
    placeholders: { name: t('preview_name'), intro: t('preview_intro') },
  });
  return (
    <VisitorGate>
      <div
        className={styles[view]}
        data-access={form.packageState.state === 'read' ? 'known' : 'unknown'}
        inert
      >
        {view === 'card' ? <PluginCard plugin={plugin} load="soon" /> : <PluginTitle plugin={plugin} />}
      </div>
    </VisitorGate>
  );
}
