import { useQuery } from '@tanstack/react-query';
import PackageOpenIcon from 'lucide-react/icons/package-open';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { KitSummary } from '../../../../shared/routes/kit.ts';
import { useNavigateAfter } from '../../../api/latest-location.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { ItemRow } from '../../../features/sorting/item-row.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog } from '../frame/edit-dialogs.tsx';
import { ItemActions, ItemsHeader, useItemTask } from '../frame/item-list.tsx';
import { screenPath } from '../frame/screens.ts';
import { EditKit } from './edit-kit.tsx';
import styles from './kits.module.css';
import { useAudience } from './use-audience.ts';

/** Onboarding kits: default installs for a group (R 7.20). */
export function KitsScreen() {
  const t = useTranslations('kits');
  const navigate = useNavigateAfter();
  const query = useQuery(queryOptionsOf('listKits', {}, { staleTime: 0 }));
  const kits = query.data?.kit_list ?? [];
  const { edited, deleted, add, edit, remove, close } = useItemTask<KitSummary>();
  return (
    <>
      <ItemsHeader texts="kits" onAdd={add} />
      <PagedList
        query={query}
        isEmpty={kits.length === 0}
        empty={
          <Notice icon={<PackageOpenIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />
        }
      >
        <ul className={styles.kits} aria-label={t('title')}>
          {kits.map((kit) => (
            <li key={kit.id}>
              <KitRow kit={kit} onEdit={() => edit(kit)} onDelete={() => remove(kit)} />
            </li>
          ))}
        </ul>
      </PagedList>
      {edited && (
        <EditKit
          kit={edited.item}
          onSaved={edited.item ? undefined : (id) => navigate(screenPath('kits', String(id)))}
          onClose={close}
        />
      )}
      {deleted && (
        <DeleteDialog
          texts="kits"
          name={deleted.name}
          operation="deleteKit"
          payload={{ id: deleted.id }}
          onClose={close}
        >
          {t('delete_text')}
        </DeleteDialog>
      )}
    </>
  );
}

type RowProps = { kit: KitSummary; onEdit: () => void; onDelete: () => void };

function KitRow({ kit, onEdit, onDelete }: RowProps) {
  const t = useTranslations('kits');
  const audience = useAudience(kit);
  return (
    <ItemRow
      title={<Link to={screenPath('kits', String(kit.id))}>{kit.name}</Link>}
      facts={audience}
      status={t('count', { count: kit.plugin_count })}
      actions={<ItemActions name={kit.name} onEdit={onEdit} onDelete={onDelete} />}
    />
  );
}
