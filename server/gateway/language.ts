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
import { queryOf } from './proxy/path.ts';
import { isCall } from './rate-limit/policies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The language to answer in; `?lang=` counts for pages alone. */
    readonly language: Language;
  }
}

/**
 * The chosen language, else the one a page's address names, else the best match of the browser's, else the site's own
 * (design section 5). What is not on offer is nobody's choice.
 */
export const language = fp(
  async (app: FastifyInstance) => {
    const { deployType, languages: offered } = app.gateway.config;
    const home = homeLanguage(deployType, offered);
    const onOffer = (value: string | undefined): Language | undefined => {
      const found = languageOfCookie(value);
      return found && offered.includes(found) ? found : undefined;
    };
    app.decorateRequest('language', {
      getter() {
        return (
          onOffer(this.cookies[LANGUAGE_COOKIE]) ??
          onOffer(isCall(this) ? undefined : parameterOf(this.raw.url ?? '')) ??
          languageOfHeader(this.headers['accept-language'], offered) ??
          home
        );
      },
    });
  },
  { name: 'language', dependencies: ['gateway', 'cookies'] },
);

function parameterOf(target: string): string | undefined {
  const query = queryOf(target);
  return query === '' ? undefined : (new URLSearchParams(query).get(LANGUAGE_PARAMETER) ?? undefined);
}
