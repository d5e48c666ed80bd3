import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH, DOCS_PATH, REMOVED_PATH } from '../../shared/constants.ts';
import { siteVariant } from '../../shared/deploy-types.ts';
import { useSite } from '../api/site-context.ts';
import { chooseSlash, useSlash } from '../features/plugins/search/slash-choice.ts';
import { Lazy } from '../loading/lazy.tsx';
import { lazyWithRetry } from '../loading/lazy-with-retry.ts';
import { BrandMark, useSiteName } from './brand-mark.tsx';
import { footerColumns } from './footer-links.ts';
import { TargetLink } from './header/target-link.tsx';
import { useSiteAddress } from './site-address.ts';
import styles from './site-footer.module.css';
import { useClientContext } from './use-client-context.ts';

/** The footer of every page of the site: links and legal texts. */
export function SiteFooter() {
  const site = useTranslations('site');
  const t = useTranslations('footer');
  const { now, deploy_type } = useSite();
  const name = useSiteName();
  return (
    <footer className={styles.footer}>
      <div className={styles.links}>
        <div className={styles.brand}>
          <BrandMark size={28} />
          <p className={styles.name}>{name}</p>
          <p className={styles.claim}>{site('claim')}</p>
        </div>
        <FooterNavigation />
      </div>
      <div className={styles.legal}>
        <p>{t('copyright', { year: String(new Date(now).getUTCFullYear()), site: name })}</p>
        <Link className={styles.link} to={`${BASE_PATH}protocol`}>
          {t('protocol')}
        </Link>
        <Link className={styles.link} to={REMOVED_PATH}>
          {t('removed')}
        </Link>
        <SlashChoice />
        {deploy_type === 'overseas' && (
          <CookieSettingsButton className={styles.link}>{t('cookie_settings')}</CookieSettingsButton>
        )}
      </div>
    </footer>
  );
}

/** Turns the shortcut `/` off and on. */
function SlashChoice() {
  const t = useTranslations('footer');
  return (
    <label className={styles.choice}>
      <input type="checkbox" checked={useSlash()} onChange={(event) => chooseSlash(event.target.checked)} />
      {t('slash')}
    </label>
  );
}

function FooterNavigation() {
  const t = useTranslations('footer');
  const id = useId();
  const { language, deploy_type, developer_docs_url: ownDocs } = useSite();
  const { embedded } = useClientContext();
  const address = useSiteAddress();
  const columns = footerColumns(siteVariant(deploy_type), language, {
    embedded,
    exists: (path) => address(path) !== undefined,
  });
  if (columns.length === 0) return null;
  return (
    <nav className={styles.columns} aria-label={t('label')}>
      {columns.map(([title, links]) => (
        <div key={title}>
          <h2 id={id + title} className={styles.title}>
            {t(title)}
          </h2>
          <ul aria-labelledby={id + title}>
            {links.map(([text, path]) => (
              <li key={text}>
                {path === DOCS_PATH && ownDocs !== undefined ? (
                  <a className={styles.link} href={ownDocs} target="_blank" rel="noopener noreferrer">
                    {t(text)}
                  </a>
                ) : (
                  <TargetLink path={path} className={styles.link}>
                    {t(text)}
                  </TargetLink>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

const consentDialog = lazyWithRetry(
  async () => (await import('../features/consent/consent-dialog.tsx')).ConsentDialog,
);

type Props = { className: string | undefined; children: ReactNode };

/** Reopens the visitor's cookie decision; the dialog is loaded when the button gets hover or focus. */
function CookieSettingsButton({ className, children }: Props) {
  const [wanted, setWanted] = useState(false);
  const [open, setOpen] = useState(false);
  const show = (): void => {
    setWanted(true);
    setOpen(true);
  };
  const fail = (): void => {
    setWanted(false);
    setOpen(false);
  };
  return (
    <>
      <button
        type="button"
        className={className}
        aria-haspopup="dialog"
        onPointerEnter={consentDialog.preload}
        onFocus={consentDialog.preload}
        onClick={show}
      >
        {children}
      </button>
      {wanted && (
        <Lazy part={consentDialog} onFailed={fail}>
          {(ConsentDialog) => <ConsentDialog open={open} onClose={() => setOpen(false)} />}
        </Lazy>
      )}
    </>
  );
}
