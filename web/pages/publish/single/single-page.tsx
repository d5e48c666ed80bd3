import { useTranslations } from 'use-intl';
import { usePageHead } from '../../../layout/page-head.tsx';
import { AccessGate } from '../../access-gate.tsx';
import { Single } from './single.tsx';

/** Publishes one plugin, or changes one: `?plugin_key=…`, and with `&version=new` to bring a version of it. */
export function SinglePage() {
  const t = useTranslations('publish');
  usePageHead({ title: t('title_new') });
  return (
    <AccessGate needs="publisher">
      <Single />
    </AccessGate>
  );
}
