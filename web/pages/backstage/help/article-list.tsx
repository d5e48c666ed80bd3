import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { ManagedArticle } from '../../../../shared/entities/help.ts';
import { LANGUAGE_NAMES } from '../../../../shared/languages.ts';
import { call } from '../../../api/client.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { SupportIcon } from '../../../ui/icon/fact-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog } from '../frame/delete-dialog.tsx';
import { Moment } from '../frame/moment.tsx';
import { screenPath } from '../frame/screens.ts';
import { SortableList } from '../frame/sortable-list.tsx';
import { useSaveOrder } from '../frame/use-save-order.ts';
import { HelpRow, useNameOf } from './help-row.tsx';
import styles from './help-screen.module.css';
import { useHelpRefresh } from './use-help-refresh.ts';

/** All articles by category, drafts too; those of each category to be put in order. */
export function ArticleList() {
  const t = useTranslations('helpAdmin');
  const nameOf = useNameOf();
  const query = useQuery(queryOptionsOf('listManagedArticles', {}));
  const categories = useQuery(queryOptionsOf('listManagedCategories', {})).data?.category_list ?? [];
  const refresh = useHelpRefresh();
  const [leaving, setLeaving] = useState<ManagedArticle>();
  const articles = query.data?.article_list ?? [];
  const groups = [
    ...categories.map(({ id, name, default_lang }) => ({ id, title: nameOf(name, default_lang) })),
    { id: null, title: t('no_category') },
  ];
  return (
    <PagedList
      query={query}
      isEmpty={articles.length === 0}
      empty={<Notice icon={<SupportIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
    >
      <div className={styles.groups}>
        {groups.map(({ id, title }) => (
          <Group
            key={id ?? 0}
            title={title}
            articles={articles.filter(({ category_id }) => category_id === id)}
            onDelete={setLeaving}
          />
        ))}
      </div>
      {leaving && (
        <DeleteDialog
          texts="helpAdmin"
          name={nameOf(leaving.title, leaving.default_lang)}
          remove={() => call('deleteHelpArticle', { id: leaving.id })}
          refresh={refresh}
          onClose={() => setLeaving(undefined)}
        >
          {t('delete_text')}
        </DeleteDialog>
      )}
    </PagedList>
  );
}

type GroupProps = {
  title: string;
  articles: readonly ManagedArticle[];
  onDelete: (article: ManagedArticle) => void;
};

function Group({ title, articles, onDelete }: GroupProps) {
  const nameOf = useNameOf();
  const headingId = useId();
  const order = useSaveOrder({
    texts: 'helpAdmin',
    list: 'listManagedArticles',
    rows: 'article_list',
    save: 'orderHelpArticles',
  });
  if (articles.length === 0) return null;
  const named = (id: string | number): string => {
    const article = articles.find((one) => one.id === id);
    return article ? nameOf(article.title, article.default_lang) : '';
  };
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.groupTitle}>
        {title}
      </h2>
      <SortableList
        label={title}
        className={styles.list}
        ids={articles.map(({ id }) => id)}
        nameOf={named}
        onOrder={(ids) => order.mutate(ids)}
      >
        {articles.map((article) => (
          <ArticleRow key={article.id} article={article} onDelete={() => onDelete(article)} />
        ))}
      </SortableList>
    </section>
  );
}

function ArticleRow({ article, onDelete }: { article: ManagedArticle; onDelete: () => void }) {
  const t = useTranslations('helpAdmin');
  const nameOf = useNameOf();
  const { id, title, default_lang, is_published, written, updated_at, updated_by } = article;
  const name = nameOf(title, default_lang);
  return (
    <HelpRow id={id} name={name}>
      <div className={styles.texts}>
        <Link className={styles.name} to={screenPath('help', String(id))}>
          {name}
        </Link>
        <p className={styles.facts}>
          <Badge tone={is_published ? 'positive' : 'neutral'}>
            {t(is_published ? 'published' : 'draft')}
          </Badge>
          <span>
            {written.length > 0
              ? written.map((lang) => LANGUAGE_NAMES[lang]).join(' · ')
              : t('nothing_written')}
          </span>
        </p>
        <p className={styles.changed}>
          <Moment at={updated_at} /> {updated_by?.nick_name}
        </p>
      </div>
      <div className={styles.actions}>
        <Link
          className={buttonClass({ size: 's' })}
          to={screenPath('help', String(id))}
          aria-label={t('edit_named', { name })}
        >
          {t('edit')}
        </Link>
        <Button size="s" onClick={onDelete} aria-label={t('delete_named', { name })}>
          {t('delete')}
        </Button>
      </div>
    </HelpRow>
  );
}
