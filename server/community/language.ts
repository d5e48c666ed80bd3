import type { FastifyRequest } from 'fastify';
import {
  FALLBACK_LANGUAGE,
  isLanguage,
  LANGUAGES,
  type Language,
  languageOfHeader,
} from '../../shared/languages.ts';

/** The language to answer texts in: the gateway names exactly one; a direct caller may name any they like. */
export function languageOf(request: FastifyRequest): Language {
  const header = request.headers['accept-language'] ?? '';
  return isLanguage(header) ? header : (languageOfHeader(header, LANGUAGES) ?? FALLBACK_LANGUAGE);
}
