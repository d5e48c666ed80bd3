import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { BASE_PATH, DOCS_PATH } from '../../../shared/constants.ts';
import type { Protocol } from '../../../shared/entities/protocol.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { type PageHead, usePageHead } from '../../layout/page-head.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { TextBlocks } from '../../ui/text-blocks/text-blocks.tsx';
import { ProtocolContents } from './protocol-contents.tsx';
import styles from './protocol-page.module.css';
import { WrittenIn } from './written-in.tsx';

/** What the site and those who use it agree upon (specification section 2), as the deployment words it. */
export function ProtocolPage() {
  const t = useTranslations('protocol');
  const text = useQuery(queryOptionsOf('readProtocol', {}));
  const head = { title: text.data?.title ?? t('title'), description: t('description') };
  return <TextPage text={text} head={{ ...head, canonical: `${BASE_PATH}protocol` }} />;
}

/** How plugins are packed, checked, reviewed and published (specification section 1). */
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
