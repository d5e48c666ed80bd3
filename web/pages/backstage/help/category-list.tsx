import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { HELP_LIMITS } from '../../../../shared/constants.ts';
import type { ManagedCategory } from '../../../../shared/entities/help.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language, type Texts } from '../../../../shared/languages.ts';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { LayersIcon } from '../../../ui/icon/thing-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog } from '../frame/delete-dialog.tsx';
import { SortableList } from '../frame/sortable-list.tsx';
import { useSaveOrder } from '../frame/use-save-order.ts';
import { HelpRow, useNameOf } from './help-row.tsx';
import styles from './help-screen.module.css';
import { useHelpRefresh } from './use-help-refresh.ts';

type Task = { kind: 'add' } | { kind: 'edit' | 'delete'; category: ManagedCategory };

/** The categories of the help center, to be named and put in order. */
export function CategoryList() {
  const t = useTranslations('helpAdmin');
  const nameOf = useNameOf();
  const order = useSaveOrder({
    texts: 'helpAdmin',
    list: 'listManagedCategories',
    rows: 'category_list',
    save: 'orderHelpCategories',
  });
  const query = useQuery(queryOptionsOf('listManagedCategories', {}));
  const refresh = useHelpRefresh();
  const [task, setTask] = useState<Task>();
  const categories = query.data?.category_list ?? [];
  const close = (): void => setTask(undefined);
  const named = (id: string | number): string => {
    const category = categories.find((one) => one.id === id);
    return category ? nameOf(category.name, category.default_lang) : '';
  };
  return (
    <>
      <div className={styles.bar}>
        <Button onClick={() => setTask({ kind: 'add' })}>
          <PlusIcon />
          {t('category_add')}
        </Button>
      </div>
      <PagedList
        query={query}
        isEmpty={categories.length === 0}
        empty={
          <Notice
            icon={<LayersIcon size={22} />}
            title={t('category_empty_title')}
            text={t('category_empty_text')}
          />
        }
      >
        <SortableList
          label={t('categories')}
          className={styles.list}
          ids={categories.map(({ id }) => id)}
          nameOf={named}
          onOrder={(ids) => order.mutate(ids)}
        >
          {categories.map((category) => (
            <HelpRow key={category.id} id={category.id} name={named(category.id)}>
              <div className={styles.texts}>
                <p className={styles.name}>{named(category.id)}</p>
                <p className={styles.changed}>{t('article_count', { count: category.article_count })}</p>
              </div>
              <div className={styles.actions}>
                <Button
                  size="s"
                  onClick={() => setTask({ kind: 'edit', category })}
                  aria-label={t('edit_named', { name: named(category.id) })}
                >
                  {t('edit')}
                </Button>
                <Button
                  size="s"
                  onClick={() => setTask({ kind: 'delete', category })}
                  aria-label={t('delete_named', { name: named(category.id) })}
                >
                  {t('delete')}
                </Button>
              </div>
            </HelpRow>
          ))}
        </SortableList>
      </PagedList>
      {task && task.kind !== 'delete' && (
        <EditCategory category={task.kind === 'edit' ? task.category : undefined} onClose={close} />
      )}
      {task?.kind === 'delete' && (
        <DeleteDialog
          texts="helpAdmin"
          name={nameOf(task.category.name, task.category.default_lang)}
          remove={() => call('deleteHelpCategory', { id: task.category.id })}
          refresh={refresh}
          onClose={close}
        >
          {t('category_delete_text', { count: task.category.article_count })}
        </DeleteDialog>
      )}
    </>
  );
}

function EditCategory({ category, onClose }: { category: ManagedCategory | undefined; onClose: () => void }) {
  const t = useTranslations('helpAdmin');
  const { language: own } = useSite();
  const [language, setLanguage] = useState<Language>(own);
  const refresh = useHelpRefresh();
  const toast = useToast();
  const save = useMutation({
    mutationFn: (name: Texts) =>
      category
        ? call('changeHelpCategory', { id: category.id, name, default_lang: category.default_lang })
        : call('addHelpCategory', { name, default_lang: own }),
    onSuccess: async () => {
      toast({ kind: 'success', text: t('saved') });
      await refresh();
      onClose();
    },
  });
  const { control, handleSubmit } = useForm<{ name: Texts }>({
    defaultValues: { name: category?.name ?? {} },
  });
  const { field, fieldState } = useController({
    control,
    name: 'name',
    rules: {
      validate: (name) =>
        Object.values(name).some((text) => text.trim() !== '') ? undefined : t('category_name_missing'),
    },
  });
  const name = field.value;
  const submit = (): void => void handleSubmit((values) => save.mutate(values.name))();
  const isFull = isApiError(save.error) && save.error.reason === 'HELP_LIMIT_REACHED';
  return (
    <ConfirmDialog
      open
      title={t(category ? 'category_edit' : 'category_add')}
      confirmLabel={t('save')}
      cancelLabel={t('cancel')}
      busy={save.isPending}
      error={save.error ? t(isFull ? 'limit_reached' : 'failed') : undefined}
      onConfirm={submit}
      onClose={onClose}
    >
      <Tabs
        label={t('languages')}
        value={language}
        onChange={setLanguage}
        tabs={LANGUAGES.map((id) => ({
          id,
          lang: id,
          label: LANGUAGE_NAMES[id],
          mark: name[id] ? { tone: 'done', label: t('written') } : undefined,
        }))}
      />
      <TextField
        label={t('category_name')}
        value={name[language] ?? ''}
        onValueChange={(value) => field.onChange({ ...name, [language]: value })}
        lang={language}
        maxLength={HELP_LIMITS.name}
        error={fieldState.error?.message}
        onEnter={submit}
      />
    </ConfirmDialog>
  );
}
