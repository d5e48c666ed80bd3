import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import DownloadIcon from 'lucide-react/icons/download';
import EyeIcon from 'lucide-react/icons/eye';
import GlobeLockIcon from 'lucide-react/icons/globe-lock';
import ShieldCheckIcon from 'lucide-react/icons/shield-check';
import { useLocale, useTranslations } from 'use-intl';
import type { PluginDetail } from '../../../../shared/entities/plugin.ts';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import { Avatar } from '../../../ui/avatar/avatar.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden/visually-hidden.tsx';
import { PublisherLink } from '../../publishers/index.ts';
import { Count } from '../count.tsx';
import { PluginIcon } from '../plugin-icon.tsx';
import { PluginMark } from '../plugin-mark.tsx';
import type { PluginSummary } from '../plugin-summary.ts';
import { accessKindOf } from './access-kind.ts';
import styles from './plugin-title.module.css';

type TitledPlugin = Omit<PluginSummary, 'publisher'> &
  Partial<Pick<PluginDetail, 'view_count' | 'allowed_domains'>> & {
    publisher: PluginSummary['publisher'] & Partial<PublicUser>;
  };

type PluginTitleProps = {
  /** What a list knows; facts that are missing are still loading. */
  plugin: TitledPlugin;
  /** Element of the name. */
  as?: 'h1' | 'h3';
};

/** Icon, name, intro, publisher and numbers of a plugin. */
export function PluginTitle({ plugin, as: Heading = 'h1' }: PluginTitleProps) {
  const t = useTranslations('plugin');
  const locale = useLocale();
  const { publisher, view_count } = plugin;
  const { lang: nameLang, intro_lang: introLang = nameLang } = plugin;
  const lang = nameLang === locale ? undefined : nameLang;
  return (
    <div className={styles.title}>
      <PluginIcon icon={plugin.icon} name={plugin.name} size={80} />
      <div className={styles.texts}>
        <div className={styles.heading}>
          <Heading className={styles.name} lang={lang}>
            {plugin.name}
          </Heading>
          <PluginMark plugin={plugin} />
        </div>
        <p className={styles.intro} lang={introLang === locale ? undefined : introLang}>
          {plugin.intro}
        </p>
        <ul className={styles.line}>
          {(publisher.is_deleted || publisher.nick_name !== '') && (
            <li className={styles.publisher}>
              {publisher.avatar_url === undefined ? (
                <Skeleton shape="circle" className={styles.avatar} />
              ) : (
                <Avatar
                  userId={publisher.user_id}
                  nickName={publisher.nick_name}
                  avatarUrl={publisher.avatar_url}
                  size={20}
                />
              )}
              {publisher.is_deleted
                ? t('deleted_account')
                : t.rich('by', {
                    publisher: publisher.nick_name,
                    name: () => <PublisherLink publisher={publisher} deleted={t('deleted_account')} />,
                  })}
            </li>
          )}
          <li>
            <DownloadIcon size={15} />
            <VisuallyHidden>{t('installs')}</VisuallyHidden>
            <Count value={plugin.install_count} />
          </li>
          {view_count === undefined ? (
            <li>
              <Skeleton className={styles.views} />
            </li>
          ) : (
            <li>
              <EyeIcon size={15} />
              <VisuallyHidden>{t('views')}</VisuallyHidden>
              <Count value={view_count} />
            </li>
          )}
          {plugin.allowed_domains === undefined && (
            <li>
              <Skeleton className={styles.access} />
            </li>
          )}
          {plugin.allowed_domains && (
            <li>
              <AccessSummary domains={plugin.allowed_domains} />
            </li>
          )}
        </ul>
      </div>
    </div>
  );
}

const ICONS = {
  none: <ShieldCheckIcon />,
  some: <GlobeLockIcon />,
  any: <CircleAlertIcon />,
} as const;

const TITLES = { none: 'access_none', some: 'access_some', any: 'access_any' } as const;

type AccessSummaryProps = { domains: NonNullable<PluginDetail['allowed_domains']> };

/** The plugin's network access in one line beside the install button. */
function AccessSummary({ domains }: AccessSummaryProps) {
  const t = useTranslations('plugin');
  const kind = accessKindOf(domains);
  return (
    <a href="#access" className={classNames(styles.summary, styles[kind])}>
      {ICONS[kind]}
      {t(TITLES[kind], { count: domains.length })}
    </a>
  );
}
