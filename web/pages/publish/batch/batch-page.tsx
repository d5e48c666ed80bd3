import { useTranslations } from 'use-intl';
import { usePageHead } from '../../../layout/page-head.tsx';
import { AccessGate } from '../../access-gate.tsx';
import { Batch } from './batch.tsx';

/** Many packages at once, for administrators (specification section 2). */
export function BatchPage() {
  const t = useTranslations('batch');
  usePageHead({ title: t('title') });
  return (
    <AccessGate needs="admin">
      <Batch />
    </AccessGate>
  );
}
