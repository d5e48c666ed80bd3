import { useQuery } from '@tanstack/react-query';
import LifeBuoyIcon from 'lucide-react/icons/life-buoy';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { ManagedArticle } from '../../../../shared/entities/help.ts';
import { LANGUAGE_NAMES, type Language, type Texts, textIn } from '../../../../shared/languages.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { ItemRow } from '../../../features/sorting/item-row.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PagedList } from '../../paged-list.tsx';
import { DateTime } from '../frame/date-time.tsx';
import { DeleteDialog } from '../frame/edit-dialogs.tsx';
import { ItemButton, OrderedItems } from '../frame/item-list.tsx';
import { screenPath } from '../frame/screens.ts';
import styles from './help-screen.module.css';

/** All articles by category, drafts included; sortable within each category. */
export function ArticleList() {
  const t = useTranslations('helpAdmin');
  const nameOf = useNameOf();
  const query = useQuery(queryOptionsOf('listManagedArticles', {}));
  const categories = useQuery(queryOptionsOf('listManagedCategories', {})).data?.category_list ?? [];
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
      empty={<Notice icon={<LifeBuoyIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
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
          operation="deleteHelpArticle"
          payload={{ id: leaving.id }}
          onClose={() => setLeaving(undefined)}
        >
          {t('delete_text')}
        </DeleteDialog>
      )}
    </PagedList>
  );
}

/** The title of a translated item in the page's language. */
export function useNameOf(): (texts: Texts, own: Language) => string {
  const { language } = useSite();
  return (texts, own) => textIn(texts, language, own).text;
}

type GroupProps = {
  title: string;
  articles: readonly ManagedArticle[];
  onDelete: (article: ManagedArticle) => void;
};

function Group({ title, articles, onDelete }: GroupProps) {
  const nameOf = useNameOf();
  const headingId = useId();
  if (articles.length === 0) return null;
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.groupTitle}>
        {title}
      </h2>
      <OrderedItems
        label={title}
        order={{
          list: 'listManagedArticles',
          rows: 'article_list',
          save: 'orderHelpArticles',
        }}
        items={articles}
        nameOf={(article) => nameOf(article.title, article.default_lang)}
      >
        {articles.map((article) => (
          <ArticleRow key={article.id} article={article} onDelete={() => onDelete(article)} />
        ))}
      </OrderedItems>
    </section>
  );
}

function ArticleRow({ article, onDelete }: { article: ManagedArticle; onDelete: () => void }) {
  const t = useTranslations('helpAdmin');
  const common = useTranslations('common');
  const nameOf = useNameOf();
  const { id, title, default_lang, is_published, written, updated_at, updated_by } = article;
  const name = nameOf(title, default_lang);
  const path = screenPath('help', String(id));
  return (
    <ItemRow
      sort={{ id, name }}
      title={<Link to={path}>{name}</Link>}
      facts={
        <>
          <span>
            {written.length > 0
              ? written.map((lang) => LANGUAGE_NAMES[lang]).join(' · ')
              : t('nothing_written')}
          </span>
          <span>
            <DateTime at={updated_at} /> {updated_by?.nick_name}
          </span>
        </>
      }
      status={
        <Badge tone={is_published ? 'positive' : 'neutral'} dot>
          {t(is_published ? 'published' : 'draft')}
        </Badge>
      }
      actions={
        <>
          <Link className={buttonClass({ size: 's' })} to={path} aria-label={common('edit_named', { name })}>
            {common('edit')}
          </Link>
          <ItemButton what="delete" name={name} onClick={onDelete} />
        </>
      }
    />
  );
}
