import { useTranslations } from 'use-intl';
import type { ManagedBanner } from '../../../../shared/entities/backstage.ts';
import { textIn } from '../../../../shared/languages.ts';
import { useSite } from '../../../api/site-context.ts';

/** What a banner is called in the language of the page; one without a title, by its number. */
export function useBannerTitle(): (banner: ManagedBanner) => string {
  const t = useTranslations('bannerAdmin');
  const { language } = useSite();
  return ({ id, title, default_lang }) =>
    textIn(title, language, default_lang).text || t('untitled', { id: String(id) });
}
