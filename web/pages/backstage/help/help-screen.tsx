import { useQuery } from '@tanstack/react-query';
import LayersIcon from 'lucide-react/icons/layers';
import LifeBuoyIcon from 'lucide-react/icons/life-buoy';
import PlusIcon from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, Outlet } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { HELP_LIMITS, HELP_PATH } from '../../../../shared/constants.ts';
import type { ManagedCategory } from '../../../../shared/entities/help.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { ItemRow } from '../../../features/sorting/item-row.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog, EditDialog } from '../frame/edit-dialogs.tsx';
import { ItemActions, OrderedItems, useItemTask } from '../frame/item-list.tsx';
import { screenPath } from '../frame/screens.ts';
import { TitleField } from '../frame/title-field.tsx';
import { ArticleList, useNameOf } from './article-list.tsx';
import styles from './help-screen.module.css';

/** Administration of the help center; hidden for a foreign one. */
export function HelpScreen() {
  const t = useTranslations('helpAdmin');
  const { own_help } = useSite();
  if (!own_help)
    return (
      <Notice
        as="h1"
        icon={<LifeBuoyIcon size={22} />}
        title={t('elsewhere_title')}
        text={t('elsewhere_text')}
      />
    );
  return <Outlet />;
}

export function HelpLists() {
  const t = useTranslations('helpAdmin');
  const [tab, setTab] = useState<'articles' | 'categories'>('articles');
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <>
            <a
              className={buttonClass({ variant: 'outline' })}
              href={HELP_PATH}
              target="_blank"
              rel="noopener"
            >
              {t('open_site')}
            </a>
            <Link className={buttonClass({ variant: 'primary' })} to={screenPath('help', 'new')}>
              <PlusIcon />
              {t('add')}
            </Link>
          </>
        }
      />
      <Tabs
        label={t('tabs')}
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'articles', label: t('articles') },
          { id: 'categories', label: t('categories') },
        ]}
        panel="help-list"
      />
      <div id="help-list" role="tabpanel" aria-label={t(tab)}>
        {tab === 'articles' ? <ArticleList /> : <CategoryList />}
      </div>
    </>
  );
}

function CategoryList() {
  const t = useTranslations('helpAdmin');
  const nameOf = useNameOf();
  const query = useQuery(queryOptionsOf('listManagedCategories', {}));
  const categories = query.data?.category_list ?? [];
  const { edited, deleted, add, edit, remove, close } = useItemTask<ManagedCategory>();
  const titleOf = ({ name, default_lang }: ManagedCategory): string => nameOf(name, default_lang);
  return (
    <>
      <div className={styles.bar}>
        <Button onClick={add}>
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
        <OrderedItems
          label={t('categories')}
          order={{ list: 'listManagedCategories', rows: 'category_list', save: 'orderHelpCategories' }}
          items={categories}
          nameOf={titleOf}
        >
          {categories.map((category) => (
            <ItemRow
              key={category.id}
              sort={{ id: category.id, name: titleOf(category) }}
              title={titleOf(category)}
              facts={t('article_count', { count: category.article_count })}
              actions={
                <ItemActions
                  name={titleOf(category)}
                  onEdit={() => edit(category)}
                  onDelete={() => remove(category)}
                />
              }
            />
          ))}
        </OrderedItems>
      </PagedList>
      {edited && <EditCategory category={edited.item} onClose={close} />}
      {deleted && (
        <DeleteDialog
          texts="helpAdmin"
          name={titleOf(deleted)}
          operation="deleteHelpCategory"
          payload={{ id: deleted.id }}
          onClose={close}
        >
          {t('category_delete_text', { count: deleted.article_count })}
        </DeleteDialog>
      )}
    </>
  );
}

function EditCategory({ category, onClose }: { category: ManagedCategory | undefined; onClose: () => void }) {
  const t = useTranslations('helpAdmin');
  const common = useTranslations('common');
  const { language: own } = useSite();
  const form = useForm<{ name: Texts }>({ defaultValues: { name: category?.name ?? {} } });
  return (
    <EditDialog
      title={t(category ? 'category_edit' : 'category_add')}
      form={form}
      operation={category ? 'changeHelpCategory' : 'addHelpCategory'}
      payload={({ name }) =>
        category
          ? { id: category.id, name, default_lang: category.default_lang }
          : { name, default_lang: own }
      }
      errorMessages={{ HELP_LIMIT_REACHED: { at: 'root', text: t('limit_reached') } }}
      onClose={onClose}
    >
      <TitleField
        control={form.control}
        name="name"
        missing={t('category_name_missing')}
        label={t('category_name')}
        limit={HELP_LIMITS.name}
        languagesLabel={t('languages')}
        writtenLabel={common('written')}
        first={own}
      />
    </EditDialog>
  );
}
