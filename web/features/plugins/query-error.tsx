import { useTranslations } from 'use-intl';
import { TRANSPORT_FAILED } from '../../../shared/errors.ts';
import type { ApiError } from '../../api/api-error.ts';
import { ErrorNotice } from '../../ui/notice/notice.tsx';

type QueryErrorProps = { error: ApiError; busy: boolean; onRetry: () => void };

/**
 * A list or page that failed to load (R 15.5), with the message of a foreign service if there is one.
 */
export function QueryError({ error, busy, onRetry }: QueryErrorProps) {
  const t = useTranslations('list');
  return (
    <ErrorNotice
      title={t('error_title')}
      text={error.foreignMessage ?? t(error.code === TRANSPORT_FAILED ? 'error_network' : 'error_text')}
      retryLabel={t('retry')}
      busy={busy}
      onRetry={onRetry}
    />
  );
}
