import GlobeIcon from 'lucide-react/icons/globe';
import MonitorIcon from 'lucide-react/icons/monitor';
import MoonIcon from 'lucide-react/icons/moon';
import SunIcon from 'lucide-react/icons/sun';
import type { LucideIcon } from 'lucide-react/types';
import { useTranslations } from 'use-intl';
import type { Theme } from '../../../shared/boot.ts';
import { LANGUAGE_NAMES } from '../../../shared/languages.ts';
import { useSite } from '../../api/site-context.ts';
import { Menu } from '../../ui/menu/menu.tsx';
import { chooseLanguage } from './language-choice.ts';
import { chooseTheme, THEMES, useTheme } from './theme-choice.ts';

export function PreferenceMenus() {
  return (
    <>
      <LanguageMenu />
      <ThemeMenu />
    </>
  );
}

/** The site's language menu; hidden with only one language (R 12.6). */
function LanguageMenu() {
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

const ICONS: Readonly<Record<Theme, LucideIcon>> = {
  light: SunIcon,
  dark: MoonIcon,
  system: MonitorIcon,
};

/** The colour scheme menu, effective immediately. */
function ThemeMenu() {
  const t = useTranslations('theme');
  const theme = useTheme(useSite().theme);
  const Icon = ICONS[theme];
  return (
    <Menu
      label={t('choose', { current: t(theme) })}
      variant="quiet"
      square
      items={THEMES.map((offered) => {
        const OfferedIcon = ICONS[offered];
        return {
          key: offered,
          label: t(offered),
          icon: <OfferedIcon />,
          checked: offered === theme,
          onSelect: () => chooseTheme(offered),
        };
      })}
    >
      <Icon size={18} />
    </Menu>
  );
}
