import { useTranslations } from 'use-intl';
import { usePageHead } from '../../layout/page-head.tsx';
import { AccessGate } from '../access-gate.tsx';
import { MyPlugins } from './my-plugins.tsx';

/** What the viewer has published and installed, and their publish tokens (design section 5). */
export function MyPluginsPage() {
  const t = useTranslations('myPlugins');
  usePageHead({ title: t('title') });
  return (
    <AccessGate needs="user">
      <MyPlugins />
    </AccessGate>
  );
}
