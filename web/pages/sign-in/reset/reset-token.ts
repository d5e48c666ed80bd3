import { useEffect, useState } from 'react';
import { tabStorage } from '../../../api/tab-storage.ts';

const KEY = 'password-link';
const TOKEN = /^#([\w-]{20,128})$/;

/**
 * The token of a link to set a new password. It is taken out of the address at once, and kept for the tab while it may
 * be needed: a change of language loads the page anew. Undefined until the page has come to life, null without one.
 */
export function useResetToken(): [token: string | null | undefined, forget: () => void] {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const read = (): void => {
      const [, fresh] = TOKEN.exec(location.hash) ?? [];
      if (fresh !== undefined) {
        tabStorage().setItem(KEY, fresh);
        history.replaceState(history.state, '', location.pathname + location.search);
      }
      setToken(tabStorage().getItem(KEY));
    };
    read();
    // The mail's link may be opened in the tab that asked for it.
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  const forget = (): void => {
    tabStorage().removeItem(KEY);
    setToken(null);
  };
  return [token, forget];
}
