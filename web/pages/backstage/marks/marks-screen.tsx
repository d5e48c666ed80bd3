import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ManagedMark } from '../../../../shared/entities/backstage.ts';
import { call } from '../../../api/client.ts';
import { failureText } from '../../../api/error-text.ts';
import { queryKeyOf, queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { PluginMark } from '../../../features/plugins/plugin-mark.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { MarkIcon } from '../../../ui/icon/backstage-icons.tsx';
import { PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog } from '../frame/delete-dialog.tsx';
import { SortableList } from '../frame/sortable-list.tsx';
import { useSaveOrder } from '../frame/use-save-order.ts';
import { NamedRow } from '../tags/named-list.tsx';
import styles from '../tags/tags-screen.module.css';
import { EditMark, markName, useMarksChanged } from './mark-dialogs.tsx';

type Task = { kind: 'add' } | { kind: 'edit' | 'delete'; mark: ManagedMark };

const LIST = queryKeyOf('listManagedMarks', {});

/** Marks of plugins: their names, colours and order. */
export function MarksScreen() {
  const t = useTranslations('markAdmin');
  const { language } = useSite();
  const [task, setTask] = useState<Task>();
  const query = useQuery(queryOptionsOf('listManagedMarks', {}));
  const order = useSaveOrder({
    texts: 'tagAdmin',
    list: 'listManagedMarks',
    rows: 'mark_list',
    save: 'orderMarks',
  });
  const marksChanged = useMarksChanged();
  const marks = query.data?.mark_list ?? [];
  const byId = new Map<string | number, ManagedMark>(marks.map((mark) => [mark.id, mark]));
  const nameOfId = (id: string | number): string => {
    const mark = byId.get(id);
    return mark ? markName(mark, language) : '';
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
        isEmpty={marks.length === 0}
        empty={<Notice icon={<MarkIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <SortableList
          label={t('title')}
          className={styles.list}
          ids={marks.map(({ id }) => id)}
          nameOf={nameOfId}
          onOrder={(ids) => order.mutate(ids)}
        >
          {marks.map((mark) => (
            <MarkRow
              key={mark.id}
              mark={mark}
              name={markName(mark, language)}
              onAsk={(kind) => setTask({ kind, mark })}
            />
          ))}
        </SortableList>
      </PagedList>
      {task?.kind === 'add' && <EditMark mark={undefined} onClose={close} />}
      {task?.kind === 'edit' && <EditMark mark={task.mark} onClose={close} />}
      {task?.kind === 'delete' && (
        <DeleteDialog
          texts="markAdmin"
          name={markName(task.mark, language)}
          remove={() => call('deleteMark', { id: task.mark.id })}
          refresh={marksChanged}
          inUse={{ reason: 'MARK_IN_USE', text: t('in_use') }}
          onClose={close}
        >
          {t('delete_text')}
        </DeleteDialog>
      )}
    </>
  );
}

type RowProps = { mark: ManagedMark; name: string; onAsk: (what: 'edit' | 'delete') => void };

function MarkRow({ mark, name, onAsk }: RowProps) {
  const t = useTranslations('markAdmin');
  const { language } = useSite();
  const queryClient = useQueryClient();
  const toast = useToast();
  const show = useMutation({
    mutationFn: (isShown: boolean) => call('saveMark', { id: mark.id, is_hidden: !isShown }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: LIST }),
    onError: (error) => toast({ kind: 'failure', text: failureText(t('failed'), error) }),
  });
  return (
    <NamedRow
      item={mark}
      name={name}
      title={<PluginMark plugin={{ mark: { name, lang: language, color: mark.color } }} />}
      isShown={show.isPending ? show.variables : !mark.is_hidden}
      isBusy={show.isPending}
      onShow={(isOn) => show.mutate(isOn)}
      actions={
        <>
          <Button size="s" onClick={() => onAsk('edit')} aria-label={t('edit_named', { name })}>
            {t('edit')}
          </Button>
          {mark.plugin_count === 0 && (
            <Button size="s" onClick={() => onAsk('delete')} aria-label={t('delete_named', { name })}>
              {t('delete')}
            </Button>
          )}
        </>
      }
    />
  );
}
