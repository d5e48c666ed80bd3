import type { FastifyRequest } from 'fastify';
import {
  FALLBACK_LANGUAGE,
  isLanguage,
  LANGUAGES,
  type Language,
  languageOfHeader,
} from '../../shared/languages.ts';

/** The language of the response: the gateway sends exactly one; a direct client may send any Accept-Language. */
export function languageOf(request: FastifyRequest): Language {
  const header = request.headers['accept-language'] ?? '';
  return isLanguage(header) ? header : (languageOfHeader(header, LANGUAGES) ?? FALLBACK_LANGUAGE);
}
