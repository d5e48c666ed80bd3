import { useQuery } from '@tanstack/react-query';
import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import PackageOpenIcon from 'lucide-react/icons/package-open';
import PlusIcon from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { KIT_LIMITS } from '../../../../shared/constants.ts';
import type { Kit } from '../../../../shared/routes/kit.ts';
import { ReachSummary } from '../../../features/collections/reach-summary.tsx';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { AddPluginDialog } from '../frame/add-plugin-dialog.tsx';
import { MissingScreen } from '../frame/missing-screen.tsx';
import { screenPath } from '../frame/screens.ts';
import { EditKit } from './edit-kit.tsx';
import { KitPlugins } from './kit-plugins.tsx';
import { kitQuery } from './kit-query.ts';
import styles from './kits.module.css';
import { useAudience } from './use-audience.ts';

/** Statuses for a missing kit. A malformed id is rejected before the lookup. */
const MISSING: readonly number[] = [400, 404];

/** One kit: who gets it, its plugins in their order, and what they may reach together. */
export function KitScreen() {
  const { id = '' } = useParams();
  const { data, error, isFetching, refetch } = useQuery(kitQuery(Number(id)));
  if (data) return <KitView kit={data} />;
  if (!error) return <Skeleton shape="block" className={styles.place} />;
  if (MISSING.includes(error.status)) return <MissingScreen />;
  return <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />;
}

function KitView({ kit }: { kit: Kit }) {
  const t = useTranslations('kits');
  const common = useTranslations('common');
  const audience = useAudience(kit);
  const [shown, setShown] = useState<'form' | 'plugin'>();
  const close = (): void => setShown(undefined);
  return (
    <>
      <p className={styles.back}>
        <Link className={buttonClass({ variant: 'quiet', size: 's' })} to={screenPath('kits')}>
          <ArrowLeftIcon size={16} />
          {t('all')}
        </Link>
      </p>
      <PageHeader
        title={kit.name}
        lead={audience}
        actions={
          <>
            <Button variant="outline" onClick={() => setShown('form')}>
              {common('edit')}
            </Button>
            <Button variant="primary" onClick={() => setShown('plugin')}>
              <PlusIcon />
              {t('add_plugin')}
            </Button>
          </>
        }
      />
      {kit.plugin_list.length === 0 ? (
        <Notice
          icon={<PackageOpenIcon size={22} />}
          title={t('plugins_empty_title')}
          text={t('plugins_empty_text')}
        />
      ) : (
        <>
          <KitPlugins kit={kit} />
          <Reach kit={kit} />
        </>
      )}
      {shown === 'form' && <EditKit kit={kit} onClose={close} />}
      {shown === 'plugin' && (
        <AddPluginDialog
          texts={{
            title: t('add_plugin'),
            confirm: t('add_confirm'),
            done: t('added'),
            failed: t('change_failed'),
            full: t('full', { max: KIT_LIMITS.plugins }),
          }}
          operation="setKitPlugin"
          payload={(plugin_key) => ({ id: kit.id, plugin_key, is_in: true })}
          fullAs="KIT_FULL"
          plugins={kit.plugin_list}
          onClose={close}
        />
      )}
    </>
  );
}

/** What all plugins that people get may reach together. */
function Reach({ kit: { plugin_list } }: { kit: Kit }) {
  const t = useTranslations('kits');
  return (
    <section className={styles.reach} aria-label={t('reach_title')}>
      <h2>{t('reach_title')}</h2>
      <ReachSummary plugins={plugin_list.filter(({ is_available }) => is_available)} />
    </section>
  );
}
