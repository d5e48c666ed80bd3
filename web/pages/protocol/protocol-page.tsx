import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'use-intl';
import { BASE_PATH, DOCS_PATH } from '../../../shared/constants.ts';
import type { Protocol } from '../../../shared/entities/text-blocks.ts';
import { LANGUAGE_NAMES, type Language } from '../../../shared/languages.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { type PageHead, usePageHead } from '../../layout/page-head.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { TextBlocks } from '../../ui/text-blocks/text-blocks.tsx';
import styles from './protocol-page.module.css';

/** The terms of use (R 2.10), as worded by the deployment. */
export function ProtocolPage() {
  const t = useTranslations('protocol');
  const text = useQuery(queryOptionsOf('readProtocol', {}));
  const head = { title: text.data?.title ?? t('title'), description: t('description') };
  return <TextPage text={text} head={{ ...head, canonical: `${BASE_PATH}protocol` }} />;
}

/** How plugins are packaged, checked, reviewed and published (R 2.22). */
export function DeveloperDocsPage() {
  const t = useTranslations('plugin');
  const text = useQuery(queryOptionsOf('readDeveloperDocs', {}));
  const lead = text.data?.blocks.find((block) => block.kind === 'paragraph');
  const description = lead?.runs.map(({ text: words }) => words).join('');
  const head = { title: text.data?.title ?? t('developer_docs'), canonical: DOCS_PATH };
  return <TextPage text={text} head={{ ...head, ...(description !== undefined && { description }) }} />;
}

type TextPageProps = {
  text: Pick<UseQueryResult<Protocol>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  head: PageHead;
};

function TextPage({ text: { data, error, isFetching, refetch }, head }: TextPageProps) {
  usePageHead(head);
  return (
    <article className={styles.page}>
      <header className={styles.header}>
        <h1 className={styles.title} lang={data?.lang}>
          {head.title}
        </h1>
        {data && <WrittenIn lang={data.lang} />}
      </header>
      {data ? (
        <>
          <ProtocolContents protocol={data} />
          <div className={styles.text}>
            <TextBlocks blocks={data.blocks} lang={data.lang} />
          </div>
        </>
      ) : error ? (
        <QueryError error={error} busy={isFetching} onRetry={refetch} />
      ) : (
        <Waiting />
      )}
    </article>
  );
}

const LINES = ['a', 'b', 'c', 'd', 'e', 'f'];

function Waiting() {
  return (
    <div className={styles.waiting} aria-hidden="true">
      {LINES.map((line) => (
        <Skeleton key={line} className={styles.line} />
      ))}
    </div>
  );
}

/** Note that the text isn't in the page's language, because there is no translation. */
function WrittenIn({ lang }: { lang: Language }) {
  const t = useTranslations('protocol');
  if (lang === useLocale()) return null;
  return <p className={styles.note}>{t('written_in', { language: LANGUAGE_NAMES[lang] })}</p>;
}

/** Texts with fewer sections need no table of contents. */
const CONTENTS_MIN_SECTIONS = 4;

function ProtocolContents({ protocol }: { protocol: Protocol }) {
  const t = useTranslations('protocol');
  const sections = protocol.blocks.flatMap((block) =>
    block.kind === 'heading' && block.level === 2
      ? [{ id: block.id, title: block.runs.map(({ text }) => text).join('') }]
      : [],
  );
  if (sections.length < CONTENTS_MIN_SECTIONS) return null;
  return (
    <nav className={styles.contents} aria-labelledby="contents">
      <h2 id="contents" className={styles.contentsTitle}>
        {t('contents')}
      </h2>
      <ol className={styles.sections} lang={protocol.lang}>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a className={styles.section} href={`#${id}`}>
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
