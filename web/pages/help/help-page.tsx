import { useId } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { HELP_PATH } from '../../../shared/constants.ts';
import type { HelpEntry } from '../../../shared/entities/help.ts';
import { useSite } from '../../api/site-context.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { usePageHead } from '../../layout/page-head.tsx';
import { Link } from '../../routing/link.tsx';
import { SupportIcon } from '../../ui/icon/fact-icons.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { NotFoundPage } from '../not-found-page.tsx';
import styles from './help-page.module.css';
import { type HelpSection, useHelp } from './use-help.ts';

/** The help center: its articles by category. A site whose help center was there already has it elsewhere. */
export function HelpPage() {
  const { own_help } = useSite();
  return own_help ? <HelpHome /> : <NotFoundPage />;
}

function HelpHome() {
  const t = useTranslations('help');
  const { sections, error, busy, retry } = useHelp();
  usePageHead({ title: t('title'), description: t('description'), canonical: HELP_PATH });
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1 className={styles.title}>{t('title')}</h1>
        <p className={styles.lead}>{t('lead')}</p>
      </header>
      {sections === undefined ? (
        error ? (
          <QueryError error={error} busy={busy} onRetry={retry} />
        ) : (
          <Skeleton shape="block" className={styles.waiting} />
        )
      ) : sections.length === 0 ? (
        <Notice icon={<SupportIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />
      ) : (
        <div className={styles.sections}>
          {sections.map((section) => (
            <Section key={section.category?.id ?? 0} section={section} isAlone={sections.length === 1} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Articles that alone have no category need no heading that says so. */
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
