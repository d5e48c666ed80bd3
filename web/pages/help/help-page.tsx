import LifeBuoyIcon from 'lucide-react/icons/life-buoy';
import { type FormEvent, useId, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import { BACKSTAGE_PATH, HELP_PATH, TEXT_LIMITS } from '../../../shared/constants.ts';
import type { HelpEntry } from '../../../shared/entities/help.ts';
import type { ApiError } from '../../api/api-error.ts';
import { useSite } from '../../api/site-context.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { useIsAdmin } from '../../features/session/use-session.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Notice } from '../../ui/notice/notice.tsx';
import { SearchInput } from '../../ui/search-input/search-input.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { NotFoundPage } from '../not-found/not-found-page.tsx';
import { helpKeywordOf, helpQueryOf } from './help-loader.ts';
import styles from './help-page.module.css';
import { type HelpSection, useHelp, useHelpSearch } from './use-help.ts';

/** The help center: articles by category. Sites with an older help center link there instead. */
export function HelpPage() {
  const { own_help } = useSite();
  return own_help ? <HelpHome /> : <NotFoundPage />;
}

function HelpHome() {
  const t = useTranslations('help');
  const [query] = useSearchParams();
  const keyword = helpKeywordOf(query);
  // Search results must not be indexed.
  usePageHead({
    title: keyword === '' ? t('title') : t('search_title', { keyword }),
    description: t('description'),
    ...(keyword === '' && { canonical: HELP_PATH }),
  });
  return (
    <div className={styles.page}>
      <header>
        <h1 className={styles.title}>{t('title')}</h1>
        <p className={styles.lead}>{t('lead')}</p>
        <HelpSearch key={keyword} keyword={keyword} />
      </header>
      {keyword === '' ? <AllArticles /> : <Results keyword={keyword} />}
    </div>
  );
}

/** The keyword is in the URL; without JavaScript it is a form. */
function HelpSearch({ keyword }: { keyword: string }) {
  const t = useTranslations('help');
  const navigate = useNavigate();
  const [typed, setTyped] = useState(keyword);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    navigate(HELP_PATH + helpQueryOf(typed.trim()), { preventScrollReset: true });
  };
  return (
    <search className={styles.search}>
      <form action={HELP_PATH} onSubmit={submit}>
        <SearchInput
          name="q"
          size="large"
          label={t('search')}
          placeholder={t('search_placeholder')}
          clearLabel={t('search_clear')}
          maxLength={TEXT_LIMITS.keyword}
          value={typed}
          onValueChange={setTyped}
        />
      </form>
    </search>
  );
}

function AllArticles() {
  const t = useTranslations('help');
  const { sections, error, busy, retry } = useHelp();
  const isAdmin = useIsAdmin();
  if (sections === undefined) return <Waiting error={error} busy={busy} onRetry={retry} />;
  if (sections.length === 0)
    return (
      <Notice
        icon={<LifeBuoyIcon size={22} />}
        title={t('empty_title')}
        text={t('empty_text')}
        action={
          isAdmin && (
            <Link className={buttonClass({ variant: 'primary' })} to={`${BACKSTAGE_PATH}/help/new`}>
              {t('empty_add')}
            </Link>
          )
        }
      />
    );
  return (
    <div className={styles.sections}>
      {sections.map((section) => (
        <Section key={section.category?.id ?? 0} section={section} isAlone={sections.length === 1} />
      ))}
    </div>
  );
}

/** Search results. */
function Results({ keyword }: { keyword: string }) {
  const t = useTranslations('help');
  const locale = useLocale();
  const { hits, error, busy, retry } = useHelpSearch(keyword);
  if (hits === undefined) return <Waiting error={error} busy={busy} onRetry={retry} />;
  const all = (
    <Link className={styles.all} to={HELP_PATH}>
      {t('all_articles')}
    </Link>
  );
  if (hits.length === 0)
    return (
      <Notice
        live="status"
        icon={<LifeBuoyIcon size={22} />}
        title={t('search_none_title', { keyword })}
        text={t('search_none_text')}
        action={all}
      />
    );
  return (
    <section className={styles.results}>
      <div role="status">
        <h2 className={styles.found}>{t('search_found', { count: hits.length, keyword })}</h2>
      </div>
      <ul className={styles.links}>
        {hits.map(({ id, title, lang, excerpt, excerpt_lang }) => (
          <li key={id} className={styles.hit}>
            <Link
              className={styles.hitTitle}
              to={`${HELP_PATH}${id}`}
              lang={lang === locale ? undefined : lang}
            >
              {title}
            </Link>
            {excerpt && (
              <p className={styles.excerpt} lang={excerpt_lang === locale ? undefined : excerpt_lang}>
                {excerpt}
              </p>
            )}
          </li>
        ))}
      </ul>
      {all}
    </section>
  );
}

function Waiting({ error, ...retrying }: { error: ApiError | null; busy: boolean; onRetry: () => void }) {
  return error ? (
    <QueryError error={error} {...retrying} />
  ) : (
    <Skeleton shape="block" className={styles.waiting} />
  );
}

/** Without any categories the articles need no heading. */
function Section({ section: { category, articles }, isAlone }: { section: HelpSection; isAlone: boolean }) {
  const t = useTranslations('help');
  const locale = useLocale();
  const id = useId();
  const title = category?.name ?? t(isAlone ? 'articles' : 'others');
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2
        id={id}
        className={styles.category}
        lang={category && category.lang !== locale ? category.lang : undefined}
      >
        {title}
      </h2>
      <ArticleLinks articles={articles} />
    </section>
  );
}

/** Links to articles; `current`: the one on screen. */
export function ArticleLinks({ articles, current }: { articles: readonly HelpEntry[]; current?: number }) {
  const locale = useLocale();
  return (
    <ul className={styles.links}>
      {articles.map(({ id, title, lang }) => (
        <li key={id}>
          <Link
            className={styles.link}
            to={`${HELP_PATH}${id}`}
            lang={lang === locale ? undefined : lang}
            aria-current={id === current ? 'page' : undefined}
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}
