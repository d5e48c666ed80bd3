import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { homeLanguage } from '../../shared/deploy-types.ts';
import {
  LANGUAGE_COOKIE,
  LANGUAGE_PARAMETER,
  type Language,
  languageOfCookie,
  languageOfHeader,
} from '../../shared/languages.ts';
import type { Cookies } from '../http/cookies.ts';
import type { GatewayConfig } from './options.ts';
import { queryOf } from './proxy/path.ts';
import { isCall } from './rate-limit/policies.ts';

declare module 'fastify' {
  interface FastifyInstance {
    chooseLanguage: ChooseLanguage;
  }
  interface FastifyRequest {
    /** The language to answer in; `?lang=` counts for pages alone. */
    readonly language: Language;
  }
}

/** Gives every request its language. */
export const language = fp(
  async (app: FastifyInstance) => {
    const chooseLanguage = createLanguageChoice(app.gateway.config);
    app.decorate('chooseLanguage', chooseLanguage);
    app.decorateRequest('language', {
      getter() {
        return chooseLanguage(this, isCall(this) ? undefined : this.raw.url);
      },
    });
  },
  { name: 'language', dependencies: ['gateway', 'cookies'] },
);

type Asked = { cookies: Cookies; headers: { 'accept-language'?: string | undefined } };

/** `target`: path and query of a page, whose `?lang=` counts; calls have none of their own. */
export type ChooseLanguage = (asked: Asked, target?: string) => Language;

/**
 * The chosen language, else the one a page's address names, else the best match of the browser's, else the site's own
 * (design section 5). What is not on offer is nobody's choice.
 */
export function createLanguageChoice(
  config: Pick<GatewayConfig, 'deployType' | 'languages'>,
): ChooseLanguage {
  const offered = config.languages;
  const home = homeLanguage(config.deployType, offered);
  const onOffer = (value: string | undefined): Language | undefined => {
    const language = languageOfCookie(value);
    return language && offered.includes(language) ? language : undefined;
  };
  return ({ cookies, headers }, target = '') =>
    onOffer(cookies[LANGUAGE_COOKIE]) ??
    onOffer(parameterOf(target)) ??
    languageOfHeader(headers['accept-language'], offered) ??
    home;
}

function parameterOf(target: string): string | undefined {
  const query = queryOf(target);
  return query === '' ? undefined : (new URLSearchParams(query).get(LANGUAGE_PARAMETER) ?? undefined);
}
