import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { ROLE_USER } from '../../../shared/constants.ts';
import type { PluginDetail } from '../../../shared/entities/plugin.ts';
import { useSession } from '../../features/session/use-session.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { versionsPath } from '../publish/publish-paths.ts';

/** The way to the controls of the versions, for the publisher and for administrators. */
export function ManageVersions({ plugin: { plugin_key, publisher } }: { plugin: PluginDetail }) {
  const t = useTranslations('plugin');
  const { user, role } = useSession();
  const isOwn = user?.user_id === publisher.user_id;
  const isAdmin = role !== undefined && role !== ROLE_USER;
  if (!isOwn && !isAdmin) return null;
  return (
    <Link className={buttonClass({ variant: 'outline', size: 's' })} to={versionsPath(plugin_key)}>
      {t('versions_manage')}
    </Link>
  );
}
