import { Link } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { PluginIcon } from '../../../../features/plugins/plugin-icon.tsx';
import { pluginPath } from '../../../../features/plugins/plugin-path.ts';
import { Badge } from '../../../../ui/badge/badge.tsx';
import { Button } from '../../../../ui/button/button.tsx';
import { buttonClass } from '../../../../ui/button/button-class.ts';
import { InstallIcon } from '../../../../ui/icon/action-icons.tsx';
import { ArrowLeftIcon, ExternalIcon } from '../../../../ui/icon/way-icons.tsx';
import { PageHeader } from '../../../../ui/page-header/page-header.tsx';
import { StatusBadge } from '../../filters/status-badge.tsx';
import { TimeSince } from '../../frame/moment.tsx';
import { Person } from '../../frame/person.tsx';
import { screenPath } from '../../frame/screens.ts';
import { usePackageDownload } from '../../frame/use-download.ts';
import { whatItIs } from '../submission.ts';
import styles from './review-view.module.css';

/** Of which plugin, by whom and since when, with the ways to its page and its package. */
export function DeskHead({ item, search }: { item: ReviewItem; search: string }) {
  const t = useTranslations('review');
  const locale = useLocale();
  const packages = usePackageDownload();
  const { plugin, version, audit_status, is_live, submitted_at } = item;
  return (
    <PageHeader
      back={
        <Link to={`${screenPath('audit-list')}${search}`}>
          <ArrowLeftIcon />
          {t('back')}
        </Link>
      }
      title={
        <span className={styles.title}>
          <PluginIcon icon={plugin.icon} name={plugin.name} size={48} />
          <span lang={plugin.lang === locale ? undefined : plugin.lang}>{plugin.name}</span>
          <span className={styles.version}>{version}</span>
        </span>
      }
      lead={
        <span className={styles.facts}>
          <StatusBadge status={audit_status} />
          <Badge>{t(whatItIs(item))}</Badge>
          {is_live && <Badge>{t('is_live')}</Badge>}
          <Person user={plugin.publisher} />
          <TimeSince at={submitted_at} />
        </span>
      }
      actions={
        <>
          {is_live && (
            <Link
              className={buttonClass({ variant: 'outline' })}
              to={pluginPath(plugin.plugin_key)}
              target="_blank"
            >
              <ExternalIcon />
              {t('open_page')}
            </Link>
          )}
          <Button
            variant="outline"
            busy={packages.busy}
            onClick={() => packages.save(plugin.plugin_key, version)}
          >
            <InstallIcon />
            {t('download')}
          </Button>
        </>
      }
    />
  );
}
