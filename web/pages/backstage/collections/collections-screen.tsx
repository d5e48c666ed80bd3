import { useQuery } from '@tanstack/react-query';
import FolderIcon from 'lucide-react/icons/folder';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { textIn } from '../../../../shared/languages.ts';
import type { ManagedCollection } from '../../../../shared/routes/editors-collection.ts';
import { useSite } from '../../../api/site-context.ts';
import { managedCollectionsQuery } from '../../../features/collections/collections-queries.ts';
import { ItemRow, useVisibility } from '../../../features/sorting/item-row.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog } from '../frame/edit-dialogs.tsx';
import { ItemActions, ItemsHeader, OrderedItems, useItemTask } from '../frame/item-list.tsx';
import { screenPath } from '../frame/screens.ts';
import { EditCollection } from './edit-collection.tsx';

/** Collections of the editors: order, texts, covers, and which are published. */
export function CollectionsScreen() {
  const t = useTranslations('collectionAdmin');
  const { language } = useSite();
  const query = useQuery(managedCollectionsQuery());
  const collections = query.data?.collection_list ?? [];
  const { edited, deleted, add, edit, remove, close } = useItemTask<ManagedCollection>();
  const nameOf = ({ id, title, default_lang }: ManagedCollection): string =>
    textIn(title, language, default_lang).text || t('untitled', { id: String(id) });
  return (
    <>
      <ItemsHeader texts="collectionAdmin" onAdd={add} />
      <PagedList
        query={query}
        isEmpty={collections.length === 0}
        empty={<Notice icon={<FolderIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <OrderedItems
          label={t('title')}
          order={{
            list: 'listManagedCollections',
            rows: 'collection_list',
            save: 'orderManagedCollections',
          }}
          items={collections}
          nameOf={nameOf}
        >
          {collections.map((collection) => (
            <CollectionRow
              key={collection.id}
              collection={collection}
              name={nameOf(collection)}
              onEdit={() => edit(collection)}
              onDelete={() => remove(collection)}
            />
          ))}
        </OrderedItems>
      </PagedList>
      {edited && <EditCollection collection={edited.item} onClose={close} />}
      {deleted && (
        <DeleteDialog
          texts="collectionAdmin"
          name={nameOf(deleted)}
          operation="deleteManagedCollection"
          payload={{ id: deleted.id }}
          onClose={close}
        >
          {t('delete_text')}
        </DeleteDialog>
      )}
    </>
  );
}

type RowProps = { collection: ManagedCollection; name: string; onEdit: () => void; onDelete: () => void };

/** One collection: its place, whether it is published, and what can be done with it. */
function CollectionRow({ collection, name, onEdit, onDelete }: RowProps) {
  const t = useTranslations('collectionAdmin');
  const list = useTranslations('collectionList');
  const { id, collection_key, slug, picture, icons, plugin_count, is_published } = collection;
  const { isShown, toggle } = useVisibility({
    label: t('publish_named', { name }),
    isHidden: !is_published,
    operation: 'saveManagedCollection',
    payload: (isHidden) => ({ id, is_published: !isHidden }),
  });
  const state = !isShown ? 'draft' : icons.length === 0 ? 'empty' : 'published';
  return (
    <ItemRow
      sort={{ id, name }}
      picture={picture ?? icons[0]?.icon ?? null}
      title={name}
      facts={
        <>
          <span>{slug}</span>
          <span>{list('count', { count: plugin_count })}</span>
        </>
      }
      status={
        <Badge tone={state === 'published' ? 'positive' : 'warning'} dot>
          {t(state)}
        </Badge>
      }
      toggle={toggle}
      actions={
        <>
          <Link
            to={screenPath('collections', collection_key)}
            className={buttonClass({ size: 's' })}
            aria-label={t('plugins_named', { name })}
          >
            {t('plugins')}
          </Link>
          <ItemActions name={name} onEdit={onEdit} onDelete={onDelete} />
        </>
      }
    />
  );
}
