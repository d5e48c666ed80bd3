import { LanguageMenu } from './language-menu.tsx';
import { ThemeMenu } from './theme-menu.tsx';

/** Language and colour scheme, side by side. */
export function PreferenceMenus() {
  return (
    <>
      <LanguageMenu />
      <ThemeMenu />
    </>
  );
}
