import type { ComponentType } from 'react';
import { useTranslations } from 'use-intl';
import type { Theme } from '../../../shared/boot.ts';
import { useSite } from '../../api/site-context.ts';
import type { IconProps } from '../../ui/icon/glyph.tsx';
import { MonitorIcon, MoonIcon, SunIcon } from '../../ui/icon/site-icons.tsx';
import { Menu } from '../../ui/menu/menu.tsx';
import { chooseTheme, THEMES, useTheme } from './theme.ts';

const ICONS: Readonly<Record<Theme, ComponentType<IconProps>>> = {
  light: SunIcon,
  dark: MoonIcon,
  system: MonitorIcon,
};

/** Chooses the colour scheme; applied at once. */
export function ThemeMenu() {
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
