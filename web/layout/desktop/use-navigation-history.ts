import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { BASE_PATH } from '../../../shared/constants.ts';
import { tabStorage } from '../../api/tab-storage.ts';
import { keepHistory, readHistory } from './kept-history.ts';
import {
  canStep,
  entryOf,
  goHome,
  moveTo,
  type NavigationHistory,
  replaceEntry,
  startAt,
  step,
  visit,
} from './navigation-history.ts';
import { type ShownAgain, scrollKeyOf } from './scroll-key.ts';

type Follow = (history: NavigationHistory, entry: string) => NavigationHistory;

const FOLLOW: Readonly<Record<`${NavigationType}`, Follow>> = {
  POP: moveTo,
  PUSH: visit,
  REPLACE: replaceEntry,
};

/**
 * The desktop client's way back and forward (specification sections 3 and 4). It follows the router, whoever moves it, and
 * lasts as long as the tab. For the browser only.
 */
export function useNavigationHistory() {
  const location = useLocation();
  const type = useNavigationType();
  const navigate = useNavigate();
  const entry = entryOf(location);
  const [history, setHistory] = useState(() => readHistory(tabStorage()) ?? startAt(entry));
  const scrollKeys = useRef(new Map<string, string>());

  useLayoutEffect(() => {
    scrollKeys.current.set(entryOf(location), scrollKeyOf(location));
    setHistory((kept) => {
      const shown = entryOf(location);
      return kept.list[kept.index] === shown ? kept : FOLLOW[type](kept, shown);
    });
  }, [location, type]);
  useEffect(() => keepHistory(tabStorage(), history), [history]);

  const show = (next: NavigationHistory): void => {
    const target = next.list[next.index] ?? BASE_PATH;
    setHistory(next);
    const scroll_key = scrollKeys.current.get(target);
    const state: ShownAgain | null = scroll_key === undefined ? null : { scroll_key };
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
