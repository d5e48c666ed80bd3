import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ManagedTag } from '../../../../shared/entities/backstage.ts';
import { FALLBACK_LANGUAGE, textIn } from '../../../../shared/languages.ts';
import { call } from '../../../api/client.ts';
import { failureText } from '../../../api/error-text.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { Button } from '../../../ui/button/button.tsx';
import { TagIcon } from '../../../ui/icon/backstage-icons.tsx';
import { PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog } from '../frame/delete-dialog.tsx';
import { SortableList } from '../frame/sortable-list.tsx';
import { useSaveOrder } from '../frame/use-save-order.ts';
import { NamedRow } from './named-list.tsx';
import { EditTag, MergeTag, useTagsChanged } from './tag-dialogs.tsx';
import styles from './tags-screen.module.css';

type Task = { kind: 'add' } | { kind: 'edit' | 'merge' | 'delete'; tag: ManagedTag };

/** Tags of the catalogue: their names, codes, order and plugins. */
export function TagsScreen() {
  const t = useTranslations('tagAdmin');
  const { language } = useSite();
  const [task, setTask] = useState<Task>();
  const query = useQuery(queryOptionsOf('listManagedTags', {}));
  const order = useSaveOrder({
    texts: 'tagAdmin',
    list: 'listManagedTags',
    rows: 'tag_list',
    save: 'orderTags',
    alsoIn: ['listTags'],
  });
  const tagsChanged = useTagsChanged();
  const tags = query.data?.tag_list ?? [];
  const nameOf = ({ name }: ManagedTag): string => textIn(name, language, FALLBACK_LANGUAGE).text;
  const byId = new Map<string | number, ManagedTag>(tags.map((tag) => [tag.id, tag]));
  const nameOfId = (id: string | number): string => {
    const tag = byId.get(id);
    return tag ? nameOf(tag) : '';
  };
  const close = (): void => setTask(undefined);
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <Button variant="primary" onClick={() => setTask({ kind: 'add' })}>
            <PlusIcon />
            {t('add')}
          </Button>
        }
      />
      <PagedList
        query={query}
        isEmpty={tags.length === 0}
        empty={<Notice icon={<TagIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <SortableList
          label={t('title')}
          className={styles.list}
          ids={tags.map(({ id }) => id)}
          nameOf={nameOfId}
          onOrder={(ids) => order.mutate(ids)}
        >
          {tags.map((tag) => (
            <TagRow key={tag.id} tag={tag} name={nameOf(tag)} onAsk={(kind) => setTask({ kind, tag })} />
          ))}
        </SortableList>
      </PagedList>
      {task?.kind === 'add' && <EditTag tag={undefined} name="" onClose={close} />}
      {task?.kind === 'edit' && <EditTag tag={task.tag} name={nameOf(task.tag)} onClose={close} />}
      {task?.kind === 'merge' && <MergeTag tag={task.tag} tags={tags} nameOf={nameOf} onClose={close} />}
      {task?.kind === 'delete' && (
        <DeleteDialog
          texts="tagAdmin"
          name={nameOf(task.tag)}
          remove={() => call('deleteTag', { id: task.tag.id })}
          refresh={tagsChanged}
          inUse={{ reason: 'TAG_IN_USE', text: t('in_use') }}
          onClose={close}
        >
          {t('delete_text')}
        </DeleteDialog>
      )}
    </>
  );
}

type Props = { tag: ManagedTag; name: string; onAsk: (what: 'edit' | 'merge' | 'delete') => void };

/** One tag: its place, its names and code, whether it is shown, and what can be done with it. */
function TagRow({ tag, name, onAsk }: Props) {
  const t = useTranslations('tagAdmin');
  const toast = useToast();
  const tagsChanged = useTagsChanged();
  const show = useMutation({
    mutationFn: (isShown: boolean) => call('saveTag', { id: tag.id, is_hidden: !isShown }),
    onSuccess: tagsChanged,
    onError: (error) => toast({ kind: 'failure', text: failureText(t('failed'), error) }),
  });
  const isShown = show.isPending ? show.variables : !tag.is_hidden;
  return (
    <NamedRow
      item={tag}
      name={name}
      title={name}
      isShown={isShown}
      isBusy={show.isPending}
      onShow={(isOn) => show.mutate(isOn)}
      actions={
        <>
          <Button size="s" onClick={() => onAsk('edit')} aria-label={t('edit_named', { name })}>
            {t('edit')}
          </Button>
          {tag.plugin_count > 0 ? (
            <Button size="s" onClick={() => onAsk('merge')} aria-label={t('merge_named', { name })}>
              {t('merge')}
            </Button>
          ) : (
            <Button size="s" onClick={() => onAsk('delete')} aria-label={t('delete_named', { name })}>
              {t('delete')}
            </Button>
          )}
        </>
      }
    />
  );
}
