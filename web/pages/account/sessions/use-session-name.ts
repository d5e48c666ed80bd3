import { useTranslations } from 'use-intl';
import type { OwnSession } from '../../../../shared/routes/own-session.ts';

/** What a session is called: browser and system, as far as they are known. */
export function useSessionName(): (session: OwnSession) => string {
  const t = useTranslations('account');
  return ({ browser, system }) =>
    [browser, system].filter((word) => word !== '').join(' · ') || t('session_unknown');
}
