import { useTranslations } from 'use-intl';
import {
  LANGUAGE_COOKIE,
  LANGUAGE_COOKIE_VALUES,
  LANGUAGE_NAMES,
  type Language,
} from '../../../shared/languages.ts';
import { useSite } from '../../api/site-context.ts';
import { GlobeIcon } from '../../ui/icon/site-icons.tsx';
import { Menu } from '../../ui/menu/menu.tsx';
import { keepPreference } from './preference-cookie.ts';

/** Chooses the language of the site; there only when there is a choice (specification section 5). */
export function LanguageMenu() {
  const t = useTranslations('language');
  const { language, languages } = useSite();
  if (languages.length < 2) return null;
  return (
    <Menu
      label={t('choose', { current: LANGUAGE_NAMES[language] })}
      variant="quiet"
      square
      items={languages.map((offered) => ({
        key: offered,
        label: LANGUAGE_NAMES[offered],
        lang: offered,
        checked: offered === language,
        onSelect: () => chooseLanguage(offered, language),
      }))}
    >
      <GlobeIcon size={18} />
    </Menu>
  );
}

/** Keeps the choice and reloads the page, which is then rendered in it. */
function chooseLanguage(chosen: Language, current: Language): void {
  if (chosen === current) return;
  keepPreference(document, LANGUAGE_COOKIE, LANGUAGE_COOKIE_VALUES[chosen]);
  location.reload();
}
