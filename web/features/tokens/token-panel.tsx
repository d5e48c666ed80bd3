import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DataFor } from '../../api/client.ts';
import { Button } from '../../ui/button/button.tsx';
import { PlusIcon } from '../../ui/icon/sign-icons.tsx';
import { KeyIcon } from '../../ui/icon/work-icons.tsx';
import { ErrorNotice } from '../../ui/notice/error-notice.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { TokenForm, type TokenPlugin } from './token-form.tsx';
import { TokenList } from './token-list.tsx';
import { TokenSecret } from './token-secret.tsx';
import styles from './tokens.module.css';
import { tokensQuery } from './tokens-query.ts';

/** Publish tokens of the viewer: those there are, and the making of one. */
export function TokenPanel({ plugins }: { plugins: readonly TokenPlugin[] }) {
  const t = useTranslations('publishToken');
  const list = useTranslations('list');
  const { data, error, isFetching, refetch } = useQuery(tokensQuery());
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<DataFor<'createPublishToken'>>();
  const isEmpty = data?.token_list.length === 0 && !made;
  const start = (
    <Button variant={isEmpty ? 'primary' : 'outline'} onClick={() => setMaking(true)}>
      <PlusIcon />
      {t('make')}
    </Button>
  );
  return (
    <div className={styles.panel}>
      {!isEmpty && (
        <div className={styles.head}>
          <p className={styles.lead}>{t('lead')}</p>
          {start}
        </div>
      )}
      {made && <TokenSecret made={made} onDone={() => setMade(undefined)} />}
      {!data && !error && <Skeleton shape="block" className={styles.place} />}
      {!data && error && (
        <ErrorNotice
          title={list('error_title')}
          text={list('error_text')}
          retryLabel={list('retry')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {isEmpty && (
        <Notice icon={<KeyIcon size={22} />} title={t('empty_title')} text={t('lead')} action={start} />
      )}
      {data && <TokenList tokens={data.token_list} plugins={plugins} />}
      {isMaking && (
        <TokenForm
          plugins={plugins}
          onClose={() => setMaking(false)}
          onMade={(answer) => {
            setMaking(false);
            setMade(answer);
          }}
        />
      )}
    </div>
  );
}
