import { useTranslations } from 'use-intl';
import type { PluginDetail } from '../../../../shared/entities/plugin.ts';
import { classNames } from '../../../ui/class-names.ts';
import { ShieldCheckIcon } from '../../../ui/icon/account-icons.tsx';
import { GlobeAccessIcon } from '../../../ui/icon/sign-icons.tsx';
import { AlertIcon } from '../../../ui/icon/state-icons.tsx';
import { accessKindOf } from './access-kind.ts';
import styles from './access-summary.module.css';

const ICONS = {
  none: <ShieldCheckIcon />,
  some: <GlobeAccessIcon />,
  any: <AlertIcon />,
} as const;

const TITLES = { none: 'access_none', some: 'access_some', any: 'access_any' } as const;

type AccessSummaryProps = { domains: NonNullable<PluginDetail['allowed_domains']> };

/** What the plugin may reach, in one line beside the way to install it. */
export function AccessSummary({ domains }: AccessSummaryProps) {
  const t = useTranslations('plugin');
  const kind = accessKindOf(domains);
  return (
    <a href="#access" className={classNames(styles.summary, styles[kind])}>
      {ICONS[kind]}
      {t(TITLES[kind], { count: domains.length })}
    </a>
  );
}
