import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { EditablePlugin } from '../../../../shared/entities/review.ts';
import { DeveloperDocsLink } from '../../../features/plugins/developer-docs-link.tsx';
import { ClockIcon } from '../../../ui/icon/fact-icons.tsx';
import { AlertIcon } from '../../../ui/icon/state-icons.tsx';
import { ArrowLeftIcon } from '../../../ui/icon/way-icons.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { MY_PLUGINS_PATH } from '../publish-paths.ts';
import styles from './single-page.module.css';

type SingleHeaderProps = { plugin: EditablePlugin | undefined; name: string | undefined };

/** What the form is for, and how the plugin stands. */
export function SingleHeader({ plugin, name }: SingleHeaderProps) {
  const t = useTranslations('publish');
  return (
    <>
      <PageHeader
        back={
          <Link to={MY_PLUGINS_PATH}>
            <ArrowLeftIcon />
            {t('back')}
          </Link>
        }
        title={name === undefined ? t('title_new') : t('title_edit', { name })}
        actions={<DeveloperDocsLink />}
        lead={t(plugin ? 'lead_edit' : 'lead_new')}
      />
      {plugin?.audit_status === AUDIT_WAITING && (
        <p className={styles.waiting}>
          <ClockIcon size={18} />
          {t('edit_waiting')}
        </p>
      )}
      {plugin?.audit_status === AUDIT_REFUSED && plugin.reason !== null && (
        <p className={styles.refused}>
          <AlertIcon size={18} />
          {t('edit_refused', { reason: plugin.reason })}
        </p>
      )}
    </>
  );
}
