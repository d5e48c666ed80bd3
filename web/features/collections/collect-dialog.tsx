import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import PlusIcon from 'lucide-react/icons/plus';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { COLLECTION_LIMITS } from '../../../shared/constants.ts';
import { textIn } from '../../../shared/languages.ts';
import { useSite } from '../../api/site-context.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Button } from '../../ui/button/button.tsx';
import { Checkbox } from '../../ui/checkbox/checkbox.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { QueryError } from '../plugins/index.ts';
import styles from './collection-form.module.css';
import { CollectionForm } from './collection-form.tsx';
import { managedCollectionsQuery, ownCollectionsQuery, pathOfCollection } from './collections-queries.ts';

type CollectDialogProps = {
  pluginKey: string;
  name: string;
  /** Whether the viewer also puts together the editors' collections. */
  isEditor: boolean;
  onClose: () => void;
};

/** The viewer's collections, each with whether the plugin is in it; every choice is saved at once. */
export function CollectDialog({ pluginKey, name, isEditor, onClose }: CollectDialogProps) {
  const t = useTranslations('collections');
  const common = useTranslations('common');
  const own = ownCollectionsQuery(pluginKey);
  const { data, error, isFetching, refetch } = useQuery(own);
  const [isNew, setIsNew] = useState(false);
  const { mutate } = useCollect(pluginKey, own.queryKey);
  if (isNew)
    return (
      <CollectionForm
        onSaved={({ collection_key }) => mutate({ collection_key, is_in: true })}
        onClose={() => setIsNew(false)}
      />
    );
  return (
    <Dialog
      open
      title={t('collect_title', { name })}
      closeLabel={common('close')}
      isDirty={false}
      onClose={onClose}
      foot={
        <Button variant="outline" onClick={() => setIsNew(true)}>
          <PlusIcon />
          {t('new')}
        </Button>
      }
    >
      <div className={styles.form}>
        {!data && !error && <Skeleton />}
        {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
        {data?.collection_list.length === 0 && <p>{t('none')}</p>}
        {data?.collection_list.map((collection) => (
          <Choice key={collection.collection_key} collection={collection} onChoose={mutate} />
        ))}
        {isEditor && <EditorsChoices pluginKey={pluginKey} />}
      </div>
    </Dialog>
  );
}

/** The editors' collections; nothing without any, and on a service that has none. */
function EditorsChoices({ pluginKey }: { pluginKey: string }) {
  const t = useTranslations('collectionList');
  const { language } = useSite();
  const id = useId();
  const managed = managedCollectionsQuery(pluginKey);
  const { data } = useQuery(managed);
  const { mutate } = useCollect(pluginKey, managed.queryKey);
  if (!data || data.collection_list.length === 0) return null;
  return (
    <section className={styles.form} aria-labelledby={id}>
      <h3 id={id}>{t('editors')}</h3>
      {data.collection_list.map(({ title, default_lang, ...collection }) => (
        <Choice
          key={collection.collection_key}
          collection={{ ...collection, title: textIn(title, language, default_lang).text }}
          onChoose={mutate}
        />
      ))}
    </section>
  );
}

type ChoiceProps = {
  collection: { collection_key: string; slug?: string | undefined; title: string; has_plugin: boolean };
  onChoose: (choice: Choice) => void;
};

function Choice({ collection, onChoose }: ChoiceProps) {
  const t = useTranslations('collections');
  const { collection_key, title, has_plugin } = collection;
  return (
    <div className={styles.choice}>
      <Checkbox
        label={title}
        checked={has_plugin}
        onChange={(is_in) => onChoose({ collection_key, is_in })}
      />
      <Link to={pathOfCollection(collection)} aria-label={t('open_named', { title })}>
        {t('open')}
      </Link>
    </div>
  );
}

type Choice = { collection_key: string; is_in: boolean };
type Listed = { collection_list: readonly { collection_key: string; has_plugin: boolean }[] };

/** Shows each choice at once and takes it back if it fails; one call at a time. */
function useCollect(pluginKey: string, key: QueryKey) {
  const t = useTranslations('collections');
  const client = useQueryClient();
  const show = ({ collection_key, is_in }: Choice): void => {
    client.setQueryData<Listed>(
      key,
      (data) =>
        data && {
          collection_list: data.collection_list.map((one) =>
            one.collection_key === collection_key ? { ...one, has_plugin: is_in } : one,
          ),
        },
    );
  };
  return useOperation('collectPlugin', (choice: Choice) => ({ ...choice, plugin_key: pluginKey }), {
    failsIn: 'toast',
    failed: t('collect_failed'),
    errorMessages: { COLLECTION_FULL: t('full', { max: COLLECTION_LIMITS.plugins }) },
    done: (_data, { is_in }) => t(is_in ? 'collected' : 'uncollected'),
    mutationKey: ['collectPlugin'],
    scope: { id: 'collect' },
    onMutate: async (choice) => {
      await client.cancelQueries({ queryKey: key });
      show(choice);
    },
    onError: (_error, { collection_key, is_in }) => show({ collection_key, is_in: !is_in }),
  });
}
