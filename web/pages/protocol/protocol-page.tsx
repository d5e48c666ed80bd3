import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { usePageHead } from '../../layout/page-head.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { TextBlocks } from '../../ui/text-blocks/text-blocks.tsx';
import { ProtocolContents } from './protocol-contents.tsx';
import styles from './protocol-page.module.css';
import { WrittenIn } from './written-in.tsx';

/** What the site and those who use it agree upon (specification section 2), as the deployment words it. */
export function ProtocolPage() {
  const t = useTranslations('protocol');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('readProtocol', {}));
  const title = data?.title ?? t('title');
  usePageHead({ title, description: t('description'), canonical: `${BASE_PATH}protocol` });
  return (
    <article className={styles.page}>
      <header className={styles.header}>
        <h1 className={styles.title} lang={data?.lang}>
          {title}
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
