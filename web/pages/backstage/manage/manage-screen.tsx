import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../../shared/constants.ts';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { UploadIcon } from '../../../ui/icon/account-icons.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { STATUS_NAMES } from '../filters/list-filter.ts';
import { useListFilter } from '../filters/use-list-filter.ts';
import { ManagedPlugins } from './managed-plugins.tsx';
import { Recommended } from './recommended.tsx';

const RECOMMENDED = 'recommended';

/** All plugins: what of them is shown, recommended and installed by default (specification sections 1 and 4). */
export function ManageScreen() {
  const t = useTranslations('manage');
  const status = useTranslations('status');
  const { filter, query, setParameters } = useListFilter('all');
  const tab = query.get('view') === RECOMMENDED ? RECOMMENDED : filter.status;
  const choose = (id: typeof tab): void =>
    setParameters(id === RECOMMENDED ? { view: id } : { view: '', status: id });
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <Link className={buttonClass({ variant: 'outline' })} to={`${BASE_PATH}publish-plugin/batch`}>
            <UploadIcon />
            {t('batch_import')}
          </Link>
        }
      />
      <Tabs
        label={t('statuses')}
        value={tab}
        onChange={choose}
        tabs={[
          ...STATUS_NAMES.map((id) => ({ id, label: status(id) })),
          { id: RECOMMENDED, label: t('recommended') },
        ]}
        panel="managed"
      />
      <div id="managed" role="tabpanel" aria-label={tab === RECOMMENDED ? t('recommended') : status(tab)}>
        {tab === RECOMMENDED ? <Recommended /> : <ManagedPlugins />}
      </div>
    </>
  );
}
