import { useEffect } from 'react';
import { call } from '../../api/client.ts';
import { useSite } from '../../api/site-context.ts';

const KEPT = 'mail-language';

/** Has mails come in the language that somebody signed in reads the site in; told once for each browser and choice. */
export function useKeptLanguage(userId: number | undefined): void {
  const { language, own_accounts } = useSite();
  useEffect(() => {
    if (userId === undefined || !own_accounts) return;
    const kept = `${userId} ${language}`;
    try {
      if (localStorage.getItem(KEPT) === kept) return;
      // Said before the answer: a service that is away is not asked on every page.
      localStorage.setItem(KEPT, kept);
    } catch {
      return;
    }
    call('changeMailPreferences', { language }).catch(() => undefined);
  }, [userId, language, own_accounts]);
}
