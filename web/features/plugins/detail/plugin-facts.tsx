import { useQuery } from '@tanstack/react-query';
import ActivityIcon from 'lucide-react/icons/activity';
import ClockIcon from 'lucide-react/icons/clock';
import CopyrightIcon from 'lucide-react/icons/copyright';
import ExternalLinkIcon from 'lucide-react/icons/external-link';
import LanguagesIcon from 'lucide-react/icons/languages';
import LayersIcon from 'lucide-react/icons/layers';
import LifeBuoyIcon from 'lucide-react/icons/life-buoy';
import MailIcon from 'lucide-react/icons/mail';
import PackageIcon from 'lucide-react/icons/package';
import PencilIcon from 'lucide-react/icons/pencil';
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
  return (
    <a className={styles.link} href={address.href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {address.host}
      <ExternalLinkIcon size={13} />
    </a>
  );
}
