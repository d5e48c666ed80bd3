import { homeLanguage } from '../../shared/deploy-types.ts';
import {
  LANGUAGE_COOKIE,
  type Language,
  languageOfCookie,
  languageOfHeader,
} from '../../shared/languages.ts';
import { cookieValue } from './cookies.ts';
import type { GatewayConfig } from './options.ts';

export type ChooseLanguage = (headers: {
  cookie?: string | undefined;
  'accept-language'?: string | undefined;
}) => Language;

/** The chosen language, else the best match of the browser's, else the site's own (design section 5). */
export function createLanguageChoice(
  config: Pick<GatewayConfig, 'deployType' | 'languages'>,
): ChooseLanguage {
  const offered = config.languages;
  const home = homeLanguage(config.deployType, offered);
  return (headers) => {
    const chosen = languageOfCookie(cookieValue(headers.cookie, LANGUAGE_COOKIE));
    if (chosen && offered.includes(chosen)) return chosen;
    return languageOfHeader(headers['accept-language'], offered) ?? home;
  };
}
