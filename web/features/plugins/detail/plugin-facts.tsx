import { useQuery } from '@tanstack/react-query';
import ActivityIcon from 'lucide-react/icons/activity';
import BugIcon from 'lucide-react/icons/bug';
import CalendarIcon from 'lucide-react/icons/calendar';
import ClockIcon from 'lucide-react/icons/clock';
import CodeIcon from 'lucide-react/icons/code';
import CopyrightIcon from 'lucide-react/icons/copyright';
import ExternalLinkIcon from 'lucide-react/icons/external-link';
import HistoryIcon from 'lucide-react/icons/history';
import HouseIcon from 'lucide-react/icons/house';
import LanguagesIcon from 'lucide-react/icons/languages';
import LayersIcon from 'lucide-react/icons/layers';
import LifeBuoyIcon from 'lucide-react/icons/life-buoy';
import MailIcon from 'lucide-react/icons/mail';
import PackageIcon from 'lucide-react/icons/package';
import PencilIcon from 'lucide-react/icons/pencil';
import ScaleIcon from 'lucide-react/icons/scale';
import ShieldCheckIcon from 'lucide-react/icons/shield-check';
import type { ReactNode } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import type { PluginDetail } from '../../../../shared/entities/plugin.ts';
import { LANGUAGE_NAMES } from '../../../../shared/languages.ts';
import { isMailAddress } from '../../../../shared/mail-address.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useHostWords } from '../host-words.ts';
import { TimeAgo } from '../time-ago.tsx';
import styles from './plugin-facts.module.css';

const KILOBYTE = 1024;
const COPYRIGHT_SIGN = '©';

/** Further facts about a plugin. */
export function PluginFacts({ plugin }: { plugin: PluginDetail }) {
  const t = useTranslations('plugin');
  const f = useTranslations('facts');
  const installation = useTranslations('installation');
  const format = useFormatter();
  const locale = useLocale();
  const wordsOf = useHostWords();
  const named = plugin.editor_types?.map((host) => ({
    host,
    range: '*',
    span: { from: null, before: null },
  }));
  const hosts = wordsOf(plugin.hosts?.length ? plugin.hosts : (named ?? []));
  const { copyright, publisher, contact, support, support_lang: supportLang } = plugin;
  const author = publisher.is_deleted ? t('deleted_account') : publisher.nick_name;
  const holder = copyright.kind === 'author' ? author : copyright.holder;
  const size = format.number(Math.max(1, Math.round(plugin.package_bytes / KILOBYTE)), {
    style: 'unit',
    unit: 'kilobyte',
    unitDisplay: 'short',
  });
  return (
    <section aria-labelledby="facts">
      <h2 id="facts" className={styles.heading}>
        {t('facts')}
      </h2>
      <dl className={styles.facts}>
        {plugin.version !== '' && (
          <Fact icon={<LayersIcon />} name={t('version')}>
            {plugin.version}
          </Fact>
        )}
        {typeof plugin.active_count === 'number' && plugin.active_count > 0 && (
          <Fact icon={<ActivityIcon />} name={t('active_installs')}>
            {format.number(plugin.active_count)}
          </Fact>
        )}
        {plugin.updated_at !== '' && (
          <Fact icon={<ClockIcon />} name={t('updated')}>
            <TimeAgo at={plugin.updated_at} />
          </Fact>
        )}
        {plugin.releases && (
          <Fact icon={<CalendarIcon />} name={f('first_published')}>
            <span suppressHydrationWarning>
              {format.dateTime(new Date(plugin.releases.first_at), { dateStyle: 'medium' })}
            </span>
          </Fact>
        )}
        {plugin.releases && (
          <Fact icon={<HistoryIcon />} name={f('releases')}>
            {f('releases_year', { count: plugin.releases.last_year })}
          </Fact>
        )}
        {plugin.package_bytes > 0 && (
          <Fact icon={<PackageIcon />} name={t('size')}>
            <span suppressHydrationWarning>{size}</span>
          </Fact>
        )}
        <Named icon={<ShieldCheckIcon />} name={installation('permissions')} names={plugin.permissions} />
        <Named icon={<PencilIcon />} name={installation('editors')} names={hosts} />
        {plugin.languages.length > 0 && (
          <Fact icon={<LanguagesIcon />} name={t('languages')}>
            <ul className={styles.languages}>
              {plugin.languages.map((language) => (
                <li key={language} lang={language}>
                  {LANGUAGE_NAMES[language]}
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {plugin.license && (
          <Fact icon={<ScaleIcon />} name={f('license')}>
            {plugin.license.url === null ? (
              plugin.license.name
            ) : (
              <WebLink href={plugin.license.url}>{plugin.license.name}</WebLink>
            )}
          </Fact>
        )}
        <LinkFact icon={<HouseIcon />} name={f('home_page')} href={plugin.home_page} />
        <LinkFact icon={<CodeIcon />} name={f('source')} href={plugin.source_url} />
        <LinkFact icon={<BugIcon />} name={f('issues')} href={plugin.issues_url} />
        {support !== '' && (
          <Fact icon={<LifeBuoyIcon />} name={t('support')}>
            <span lang={supportLang === locale ? undefined : supportLang}>
              <ContactText text={support} />
            </span>
          </Fact>
        )}
        {contact !== '' && (
          <Fact icon={<MailIcon />} name={t('contact')}>
            <ContactText text={contact} />
            <ContactPicture />
          </Fact>
        )}
        {holder !== '' && (
          <Fact icon={<CopyrightIcon />} name={t('copyright')}>
            {holder.startsWith(COPYRIGHT_SIGN) ? holder : `${COPYRIGHT_SIGN} ${holder}`}
          </Fact>
        )}
      </dl>
    </section>
  );
}

type NamedProps = { icon: ReactNode; name: string; names: readonly string[] | null | undefined };

/** Names from a package's list; nothing where there are none or the service has no such field. */
function Named({ icon, name, names }: NamedProps) {
  if (!names?.length) return null;
  return (
    <Fact icon={icon} name={name}>
      {names.join(', ')}
    </Fact>
  );
}

type FactProps = { icon: ReactNode; name: string; children: ReactNode };

/** One fact: name and value. */
function Fact({ icon, name, children }: FactProps) {
  return (
    <div className={styles.fact}>
      <dt className={styles.name}>
        {icon}
        {name}
      </dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  );
}

/** QR code of the feedback group, where contact is shown (R 4.12). */
function ContactPicture() {
  const t = useTranslations('plugin');
  const { data } = useQuery(queryOptionsOf('readContact', {}));
  if (!data?.qr_code) return null;
  const { name, img_url } = data.qr_code;
  return (
    <figure className={styles.contact}>
      <img src={img_url} width={120} height={120} alt={t('contact_picture', { name })} loading="lazy" />
      <figcaption>{name}</figcaption>
    </figure>
  );
}

/** A publisher's contact: a link when it is only a web or mail address, text otherwise. */
function ContactText({ text }: { text: string }) {
  if (isMailAddress(text))
    return (
      <a className={styles.link} href={`mailto:${text}`}>
        {text}
      </a>
    );
  const address = URL.parse(text);
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:') return text;
  return <WebLink href={address.href}>{address.host}</WebLink>;
}

type LinkFactProps = { icon: ReactNode; name: string; href: string | undefined };

/** An address of https; nothing without one, or where an external service sends something else. */
function LinkFact({ icon, name, href = '' }: LinkFactProps) {
  const address = URL.parse(href);
  if (address?.protocol !== 'https:') return null;
  const path = address.pathname.replace(/\/$/, '');
  return (
    <Fact icon={icon} name={name}>
      <WebLink href={address.href}>{`${address.host}${path}`}</WebLink>
    </Fact>
  );
}

/** A publisher's link, which search engines don't follow. */
function WebLink({ href, children }: { href: string; children: string }) {
  return (
    <a className={styles.link} href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {children}
      <ExternalLinkIcon size={13} />
    </a>
  );
}
