import { useQuery } from '@tanstack/react-query';
import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import FolderIcon from 'lucide-react/icons/folder';
import PlusIcon from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { COLLECTION_LIMITS } from '../../../../shared/constants.ts';
import { collectionQuery, pathOfCollection } from '../../../features/collections/collections-queries.ts';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { CollectionEditor } from '../../collection/collection-editor.tsx';
import { PagedList } from '../../paged-list.tsx';
import { AddPluginDialog } from '../frame/add-plugin-dialog.tsx';
import { MissingScreen } from '../frame/missing-screen.tsx';
import { screenPath } from '../frame/screens.ts';
import styles from './members-screen.module.css';

/** The plugins of a collection of the editors, in an order that is saved after each move. */
export function CollectionMembersScreen() {
  const t = useTranslations('collectionAdmin');
  const texts = useTranslations('collections');
  const { collection_key: key = '' } = useParams();
  const query = useQuery(collectionQuery(key));
  const [isAdding, setIsAdding] = useState(false);
  const { data: collection, error } = query;
  const isOther = collection !== undefined && (collection.slug === undefined || !collection.is_own);
  if (isOther || error?.status === 404 || error?.status === 400) return <MissingScreen />;
  return (
    <>
      <p className={styles.back}>
        <Link className={buttonClass({ size: 's' })} to={screenPath('collections')}>
          <ArrowLeftIcon />
          {t('back')}
        </Link>
      </p>
      <PageHeader
        title={collection ? t('plugins_named', { name: collection.title }) : t('plugins')}
        lead={t('members_lead')}
        actions={
          <>
            {collection && (
              <Link className={buttonClass({ variant: 'outline' })} to={pathOfCollection(collection)}>
                {t('view')}
              </Link>
            )}
            <Button variant="primary" disabled={!collection} onClick={() => setIsAdding(true)}>
              <PlusIcon />
              {t('add_plugin')}
            </Button>
          </>
        }
      />
      <PagedList
        query={query}
        isEmpty={collection?.plugin_list.length === 0}
        empty={<Notice icon={<FolderIcon size={22} />} title={t('members_empty')} text={t('members_lead')} />}
      >
        {collection && <CollectionEditor collection={collection} />}
      </PagedList>
      {isAdding && collection && (
        <AddPluginDialog
          texts={{
            title: t('add_plugin'),
            confirm: t('add_plugin'),
            done: texts('collected'),
            failed: texts('collect_failed'),
            full: texts('full', { max: COLLECTION_LIMITS.plugins }),
          }}
          operation="collectPlugin"
          payload={(plugin_key) => ({ collection_key: key, plugin_key, is_in: true })}
          fullAs="COLLECTION_FULL"
          plugins={collection.plugin_list}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  );
}
