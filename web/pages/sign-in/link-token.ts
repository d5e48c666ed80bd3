import { useEffect, useState } from 'react';
import { tabStorage } from '../../api/tab-storage.ts';

const TOKEN = /^#([\w-]{20,128})$/;

/**
 * The token of a mailed link. It is removed from the URL immediately and stored for the tab under `key`, because a
 * language change or a sign-in reloads the page. Undefined until hydrated, null without one.
 */
export function useLinkToken(key: string): [token: string | null | undefined, forget: () => void] {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const read = (): void => {
      const [, fresh] = TOKEN.exec(location.hash) ?? [];
      if (fresh !== undefined) {
        tabStorage().setItem(key, fresh);
        history.replaceState(history.state, '', location.pathname + location.search);
      }
      setToken(tabStorage().getItem(key));
    };
    read();
    // The mailed link may be opened in the tab that requested it.
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, [key]);
  const forget = (): void => {
    tabStorage().removeItem(key);
    setToken(null);
  };
  return [token, forget];
}
