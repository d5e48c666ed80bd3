import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { HELP_LIMITS } from '../../../../shared/constants.ts';
import type { ManagedCategory } from '../../../../shared/entities/help.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { call } from '../../../api/client.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { Button } from '../../../ui/button/button.tsx';
import { PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { LayersIcon } from '../../../ui/icon/thing-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { EditDialog } from '../frame/edit-dialogs.tsx';
import { ItemList, ItemRow } from '../frame/item-list.tsx';
import { TitleField } from '../frame/title-field.tsx';
import { useHelpRefresh, useNameOf } from './article-list.tsx';
import styles from './help-screen.module.css';

/** The categories of the help center, to be named and put in order. */
export function CategoryList() {
  const t = useTranslations('helpAdmin');
  const nameOf = useNameOf();
  const query = useQuery(queryOptionsOf('listManagedCategories', {}));
  return (
    <ItemList
      texts="helpAdmin"
      query={query}
      items={query.data?.category_list ?? []}
      nameOf={({ name, default_lang }) => nameOf(name, default_lang)}
      label={t('categories')}
      empty={
        <Notice
          icon={<LayersIcon size={22} />}
          title={t('category_empty_title')}
          text={t('category_empty_text')}
        />
      }
      order={{
        texts: 'helpAdmin',
        list: 'listManagedCategories',
        rows: 'category_list',
        save: 'orderHelpCategories',
      }}
      row={({ article_count }, { name, sort, edit, remove }) => (
        <ItemRow
          sort={sort}
          title={name}
          facts={t('article_count', { count: article_count })}
          actions={
            <>
              {edit}
              {remove}
            </>
          }
        />
      )}
      form={(category, onClose) => <EditCategory category={category} onClose={onClose} />}
      deletion={({ id, article_count }) => ({
        children: t('category_delete_text', { count: article_count }),
        remove: () => call('deleteHelpCategory', { id }),
      })}
      refresh={useHelpRefresh()}
      frame={(list, add) => (
        <>
          <div className={styles.bar}>
            <Button onClick={add}>
              <PlusIcon />
              {t('category_add')}
            </Button>
          </div>
          {list}
        </>
      )}
    />
  );
}

function EditCategory({ category, onClose }: { category: ManagedCategory | undefined; onClose: () => void }) {
  const t = useTranslations('helpAdmin');
  const { language: own } = useSite();
  const form = useForm<{ name: Texts }>({ defaultValues: { name: category?.name ?? {} } });
  return (
    <EditDialog
      texts="helpAdmin"
      title={t(category ? 'category_edit' : 'category_add')}
      form={form}
      save={({ name }) =>
        category
          ? call('changeHelpCategory', { id: category.id, name, default_lang: category.default_lang })
          : call('addHelpCategory', { name, default_lang: own })
      }
      refresh={useHelpRefresh()}
      refusals={{ HELP_LIMIT_REACHED: { at: 'root', text: t('limit_reached') } }}
      onClose={onClose}
    >
      <TitleField
        control={form.control}
        name="name"
        missing={t('category_name_missing')}
        label={t('category_name')}
        limit={HELP_LIMITS.name}
        languagesLabel={t('languages')}
        writtenLabel={t('written')}
        first={own}
      />
    </EditDialog>
  );
}
