import CheckIcon from 'lucide-react/icons/check';
import { useTranslations } from 'use-intl';
import type { ToolScope } from '../../../shared/entities/tool.ts';
import styles from './tool-rights.module.css';

const TEXTS = {
  'plugins:read': 'read',
  'plugins:install': 'install',
  'plugins:publish': 'publish',
} as const satisfies Readonly<Record<ToolScope, string>>;

/** What a tool may do, in words. */
export function ToolRights({ scopes }: { scopes: readonly ToolScope[] }) {
  const t = useTranslations('toolRequest');
  return (
    <ul className={styles.rights}>
      {scopes.map((scope) => (
        <li key={scope} className={styles.right}>
          <CheckIcon size={16} />
          {t(TEXTS[scope])}
        </li>
      ))}
    </ul>
  );
}
