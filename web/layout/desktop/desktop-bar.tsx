import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import ArrowRightIcon from 'lucide-react/icons/arrow-right';
import HouseIcon from 'lucide-react/icons/house';
import UserIcon from 'lucide-react/icons/user';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { useIsInTool } from '../../api/in-tool.ts';
import { tabStorage } from '../../api/tab-storage.ts';
import { Account } from '../../features/session/account.tsx';
import { useSignInLink } from '../../features/session/ask-sign-in.ts';
import { ToolAccount } from '../../features/session/tool-account.tsx';
import { useSession } from '../../features/session/use-session.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import styles from './desktop-bar.module.css';
import {
  canStep,
  entryOf,
  goHome,
  moveTo,
  type NavigationHistory,
  readHistory,
  replaceEntry,
  startAt,
  step,
  storeHistory,
  visit,
} from './navigation-history.ts';
import { type Revisit, scrollKeyOf } from './scroll-key.ts';

const ICON = 18;

/** Back, forward, plugin home, and the account. In the browser only. */
export function DesktopBar({ preferences }: { preferences: ReactNode }) {
  const t = useTranslations('desktop');
  const { canGoBack, canGoForward, isHome, back, forward, home } = useNavigationHistory();
  return (
    <div className={styles.row}>
      <nav className={styles.steps} aria-label={t('navigation')}>
        <IconButton
          className={styles.step}
          label={t('back')}
          icon={<ArrowLeftIcon size={ICON} />}
          aria-disabled={!canGoBack}
          onClick={back}
        />
        <IconButton
          className={styles.step}
          label={t('forward')}
          icon={<ArrowRightIcon size={ICON} />}
          aria-disabled={!canGoForward}
          onClick={forward}
        />
        <IconButton
          className={styles.step}
          label={t('home')}
          icon={<HouseIcon size={ICON} />}
          aria-current={isHome ? 'page' : undefined}
          onClick={home}
        />
      </nav>
      <div className={styles.tools}>
        {preferences}
        <DesktopAccount />
      </div>
    </div>
  );
}

/** The avatar with its menu, or a sign-in button: an icon on narrow screens. */
function DesktopAccount() {
  const t = useTranslations('session');
  const link = useSignInLink();
  const { status } = useSession();
  const isInTool = useIsInTool();
  if (status !== 'anonymous') return isInTool ? <ToolAccount /> : <Account />;
  return (
    <a className={buttonClass({ variant: 'primary', size: 's' }, styles.signIn)} {...link()}>
      <UserIcon className={styles.signInIcon} />
      <span className={styles.signInText}>{t('sign_in')}</span>
    </a>
  );
}

type Follow = (history: NavigationHistory, entry: string) => NavigationHistory;

const FOLLOW: Readonly<Record<`${NavigationType}`, Follow>> = {
  POP: moveTo,
  PUSH: visit,
  REPLACE: replaceEntry,
};

/**
 * Back and forward of the desktop client (R 11.13, R 11.14), synchronized with the router for as long as
 * the tab is open. In the browser only.
 */
function useNavigationHistory() {
  const location = useLocation();
  const type = useNavigationType();
  const navigate = useNavigate();
  const entry = entryOf(location);
  const [history, setHistory] = useState(() => readHistory(tabStorage()) ?? startAt(entry));
  const scrollKeys = useRef(new Map<string, string>());

  useLayoutEffect(() => {
    scrollKeys.current.set(entryOf(location), scrollKeyOf(location));
    setHistory((current) => {
      const shown = entryOf(location);
      return current.list[current.index] === shown ? current : FOLLOW[type](current, shown);
    });
  }, [location, type]);
  useEffect(() => storeHistory(tabStorage(), history), [history]);

  const show = (next: NavigationHistory): void => {
    const target = next.list[next.index] ?? BASE_PATH;
    setHistory(next);
    const scroll_key = scrollKeys.current.get(target);
    const state: Revisit | null = scroll_key === undefined ? null : { scroll_key };
    navigate(target, { state });
  };
  const canGoBack = canStep(history, -1);
  const canGoForward = canStep(history, 1);
  return {
    canGoBack,
    canGoForward,
    isHome: entry === BASE_PATH,
    back: () => canGoBack && show(step(history, -1)),
    forward: () => canGoForward && show(step(history, 1)),
    home: () => show(goHome(history, BASE_PATH)),
  };
}
