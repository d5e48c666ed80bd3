import { type ReactNode, useSyncExternalStore } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH, HEADER_BANNER_OFFSET, HEADER_SCROLLED_FROM } from '../../../shared/constants.ts';
import { isPrivate } from '../../../shared/deploy-types.ts';
import { useSite } from '../../api/site-context.ts';
import { Account, AccountVisitor } from '../../features/session/account.tsx';
import { useSession } from '../../features/session/use-session.ts';
import { Lazy } from '../../loading/lazy.tsx';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { classNames } from '../../ui/class-names.ts';
import { BrandMark, useSiteName } from '../brand-mark.tsx';
import { useSiteAddress } from '../site-address.ts';
import { useClientContext } from '../use-client-context.ts';
import { DrawerButton } from './drawer/drawer-button.tsx';
import mainNavStyles from './main-nav.module.css';
import { NavItem } from './nav-item.tsx';
import styles from './site-header.module.css';
import { TargetLink } from './target-link.tsx';
import { type Section, type SiteTargets, sectionText } from './targets/target.ts';
import { useSiteTargets } from './targets/use-site-targets.ts';
import { useOpenSection } from './use-open-section.ts';

/** The bar at the top of every page of the site. */
export function SiteHeader({ preferences }: { preferences: ReactNode }) {
  const name = useSiteName();
  const targets = useSiteTargets();
  return (
    <header
      className={styles.header}
      data-scrolled={useScrolled() || undefined}
      data-banner={useBannerPassed() || undefined}
    >
      <div className={styles.row}>
        <Link className={styles.brand} to={BASE_PATH}>
          <BrandMark />
          <span className={styles.name}>{name}</span>
        </Link>
        <MainNav sections={targets.sections.filter(({ drawerOnly }) => !drawerOnly)} />
        <HeaderTools targets={targets} preferences={preferences} />
      </div>
    </header>
  );
}

/** True once the page is scrolled by 20 px or more (R 11.11). */
function useScrolled(): boolean {
  return useSyncExternalStore(
    onScrollOrResize,
    () => scrollY >= HEADER_SCROLLED_FROM,
    () => false,
  );
}

type Props = { targets: SiteTargets; preferences: ReactNode };

/** The end of the header: preferences, workbench link, account, and the drawer on small windows. */
function HeaderTools({ targets: { sections, workbench, personalHome }, preferences }: Props) {
  const t = useTranslations();
  const { deploy_type, sign_up } = useSite();
  const { embedded } = useClientContext();
  const { status, user } = useSession();
  const addressOf = useSiteAddress();
  const signUpLabel = sign_up
    ? t(isPrivate(deploy_type) ? 'session.sign_up' : 'header.start_free')
    : undefined;
  const tool = addressOf(workbench);
  const toWorkbench = user && tool !== undefined && (
    <a className={buttonClass({ variant: 'primary' }, styles.workbench)} href={tool}>
      {t('header.workbench')}
    </a>
  );
  return (
    <div className={styles.tools}>
      <div className={styles.preferences}>{preferences}</div>
      {toWorkbench}
      <Account
        signUpLabel={signUpLabel}
        personalHome={user && addressOf(personalHome(user.user_id))}
        hasMenu={!embedded}
      />
      <DrawerButton className={styles.drawer} sections={sections}>
        <div className={styles.preferences}>{preferences}</div>
        {toWorkbench}
        {status === 'anonymous' && <AccountVisitor signUpLabel={signUpLabel} className={styles.visitor} />}
      </DrawerButton>
    </div>
  );
}

const sectionPanel = lazyWithRetry(async () => (await import('./panel/section-panel.tsx')).SectionPanel);

const FOLDS = {
  0: undefined,
  1: mainNavStyles.fold1,
  2: mainNavStyles.fold2,
  3: mainNavStyles.fold3,
} as const;

/** The navigation of the header; items that don't fit are in the menu "More". */
function MainNav({ sections }: { sections: readonly Section[] }) {
  const t = useTranslations();
  const opening = useOpenSection();
  const { close } = opening;
  const { preload } = sectionPanel;
  const panel = (shown: Section | undefined) => (id: string) => (
    <Lazy part={sectionPanel} onFailed={close}>
      {(SectionPanel) => (
        <SectionPanel
          id={id}
          section={shown}
          sections={sections}
          takesFocus={opening.open?.way === 'key'}
          onLeave={close}
        />
      )}
    </Lazy>
  );
  const folds = sections.some(({ fold }) => fold);
  return (
    <nav
      className={mainNavStyles.nav}
      aria-label={t('header.main')}
      onPointerEnter={preload}
      onFocus={preload}
    >
      <ul className={mainNavStyles.items}>
        {sections.map((section) => {
          const fold = FOLDS[section.fold ?? 0];
          if ('path' in section)
            return (
              <li
                key={section.name}
                data-section={section.name}
                className={classNames(mainNavStyles.item, fold)}
              >
                <TargetLink path={section.path} className={mainNavStyles.word}>
                  {t(sectionText(section))}
                </TargetLink>
              </li>
            );
          return (
            <NavItem
              key={section.name}
              name={section.name}
              label={t(sectionText(section))}
              className={fold}
              opening={opening}
              onPreload={preload}
              panel={panel(section)}
            />
          );
        })}
        {folds && (
          <NavItem
            name="more"
            label={t('header.more')}
            className={mainNavStyles.more}
            opening={opening}
            onPreload={preload}
            panel={panel(undefined)}
          />
        )}
      </ul>
    </nav>
  );
}

/** Marks the banner of a page. */
const BANNER = '[data-banner-area]';

/** Both events can move the page under the header. */
function onScrollOrResize(changed: () => void): () => void {
  addEventListener('scroll', changed, { passive: true });
  addEventListener('resize', changed);
  return () => {
    removeEventListener('scroll', changed);
    removeEventListener('resize', changed);
  };
}

/** True once scroll plus 40 px reaches the height of the page's banner (R 11.11); a page without one never is. */
function useBannerPassed(): boolean {
  return useSyncExternalStore(onScrollOrResize, isPassed, () => false);
}

function isPassed(): boolean {
  const banner = document.querySelector<HTMLElement>(BANNER);
  return banner !== null && scrollY + HEADER_BANNER_OFFSET >= banner.offsetHeight;
}
