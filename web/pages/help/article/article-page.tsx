import { useQuery } from '@tanstack/react-query';
import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import { Link, useParams } from 'react-router-dom';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import { HELP_PATH } from '../../../../shared/constants.ts';
import type { HelpArticle } from '../../../../shared/entities/help.ts';
import { LANGUAGE_NAMES } from '../../../../shared/languages.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { usePageHead } from '../../../layout/page-head.tsx';
import { StatusPage } from '../../../layout/status-page.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { TextBlocks } from '../../../ui/text-blocks/text-blocks.tsx';
import { NotFoundPage } from '../../not-found/not-found-page.tsx';
import { articleIdOf } from '../help-loader.ts';
import styles from '../help-page.module.css';
import { ArticleLinks } from '../help-page.tsx';
import { useHelp } from '../use-help.ts';

/** Length of an article's description for search engines. */
const DESCRIPTION = 160;
/** Statuses for a missing article. */
const MISSING: readonly number[] = [400, 404];

/** An article of the help center. */
export function ArticlePage() {
  const { own_help } = useSite();
  const id = articleIdOf(useParams().id);
  return own_help && id !== undefined ? <Article key={id} id={id} /> : <NotFoundPage />;
}

function Article({ id }: { id: number }) {
  const t = useTranslations('help');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('readHelpArticle', { id }));
  const isMissing = error !== null && MISSING.includes(error.status);
  usePageHead({
    title: data?.title ?? t('title'),
    ...(data && { description: descriptionOf(data), canonical: `${HELP_PATH}${id}` }),
    ...(isMissing && { status: 404 }),
  });
  if (isMissing)
    return (
      <StatusPage code="404" title={t('missing_title')} text={t('missing_text')}>
        <Link className={buttonClass({ variant: 'primary' })} to={HELP_PATH}>
          {t('title')}
        </Link>
      </StatusPage>
    );
  return (
    <div className={styles.articlePage}>
      <Link className={styles.back} to={HELP_PATH}>
        <ArrowLeftIcon size={16} />
        {t('title')}
      </Link>
      {data ? (
        <Text article={data} />
      ) : error ? (
        <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton shape="block" className={styles.waiting} />
      )}
      <Others id={id} />
    </div>
  );
}

function Text({ article: { title, lang, blocks, updated_at } }: { article: HelpArticle }) {
  const t = useTranslations('help');
  const format = useFormatter();
  const isForeign = lang !== useLocale();
  return (
    <article className={styles.article}>
      <header>
        <h1 className={styles.title} lang={isForeign ? lang : undefined}>
          {title}
        </h1>
        {isForeign && <p className={styles.note}>{t('written_in', { language: LANGUAGE_NAMES[lang] })}</p>}
      </header>
      <TextBlocks blocks={Array.isArray(blocks) ? blocks : []} lang={lang} />
      {updated_at !== '' && (
        <p className={styles.changed}>
          {t('changed', {
            day: format.dateTime(new Date(updated_at), { dateStyle: 'long', timeZone: 'UTC' }),
          })}
        </p>
      )}
    </article>
  );
}

/** The articles of the same category, the current one included. */
function Others({ id }: { id: number }) {
  const t = useTranslations('help');
  const { sections = [] } = useHelp();
  const own = sections.find(({ articles }) => articles.some((article) => article.id === id));
  if (!own || own.articles.length < 2) return null;
  const { category, articles } = own;
  return (
    <nav className={styles.others} aria-label={t('more_label')}>
      <p className={styles.othersTitle} lang={category?.lang}>
        {category?.name ?? t('articles')}
      </p>
      <ArticleLinks articles={articles} current={id} />
    </nav>
  );
}

/** The start of an article's text. */
function descriptionOf({ blocks }: HelpArticle): string {
  const first = Array.isArray(blocks) ? blocks.find((block) => block.kind === 'paragraph') : undefined;
  const words = first?.kind === 'paragraph' ? first.runs.map(({ text }) => text).join('') : '';
  return words.length > DESCRIPTION ? `${[...words].slice(0, DESCRIPTION - 1).join('')}…` : words;
}
