import LinkIcon from 'lucide-react/icons/link';
import PencilIcon from 'lucide-react/icons/pencil';
import TrashIcon from 'lucide-react/icons/trash';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PATH } from '../../../shared/constants.ts';
import type { Collection } from '../../../shared/routes/collection.ts';
import { useNavigateAfter } from '../../api/latest-location.ts';
import { useOperation } from '../../api/use-operation.ts';
import { CollectionForm } from '../../features/collections/collection-form.tsx';
import { pathOfCollection } from '../../features/collections/collections-queries.ts';
import { useCopyLink } from '../../features/plugins/use-copy-link.ts';
import { Button } from '../../ui/button/button.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { ReportButton } from '../report-button.tsx';

/** What a reader does with a collection, and its owner beside that. */
export function CollectionActions({ collection }: { collection: Collection }) {
  const { access, is_own, is_hidden, collection_key, slug, title } = collection;
  return (
    <>
      {access !== 'private' && !is_hidden && <ShareButton path={pathOfCollection(collection)} />}
      {slug !== undefined ? (
        is_own && <BackstageLink collectionKey={collection_key} />
      ) : is_own ? (
        <OwnActions collection={collection} />
      ) : (
        <ReportButton subject={{ collection_key }} name={title} />
      )}
    </>
  );
}

/** Administrators change the collections of the editors in the backstage. */
function BackstageLink({ collectionKey }: { collectionKey: string }) {
  const t = useTranslations('collections');
  return (
    <Link
      to={`${BACKSTAGE_PATH}/collections/${collectionKey}`}
      className={buttonClass({ variant: 'outline' })}
    >
      <PencilIcon />
      {t('edit_backstage')}
    </Link>
  );
}

function ShareButton({ path }: { path: string }) {
  const t = useTranslations('plugin');
  const copy = useCopyLink(path);
  return (
    <Button variant="outline" onClick={() => void copy()}>
      <LinkIcon />
      {t('copy_link')}
    </Button>
  );
}

function OwnActions({ collection }: { collection: Collection }) {
  const t = useTranslations('collections');
  const common = useTranslations('common');
  const navigate = useNavigateAfter();
  const [shown, setShown] = useState<'form' | 'deletion'>();
  const close = (): void => setShown(undefined);
  const { collection_key, title } = collection;
  const deletion = useOperation('deleteCollection', () => ({ collection_key }), {
    done: common('deleted'),
    failed: t('delete_failed'),
    readsLater: true,
    onSuccess: () => navigate('/plugins/my-plugins?tab=collections', { replace: true }),
  });
  return (
    <>
      <Button variant="outline" onClick={() => setShown('form')}>
        <PencilIcon />
        {common('edit')}
      </Button>
      <Button variant="outline" onClick={() => setShown('deletion')}>
        <TrashIcon />
        {common('delete')}
      </Button>
      {shown === 'form' && <CollectionForm collection={collection} onClose={close} />}
      <ConfirmDialog
        open={shown === 'deletion'}
        title={t('delete_title', { title })}
        confirmLabel={common('delete')}
        tone="danger"
        busy={deletion.isPending}
        error={deletion.failure}
        onConfirm={() => deletion.mutate()}
        onClose={close}
      >
        <p>{t('delete_text')}</p>
      </ConfirmDialog>
    </>
  );
}
