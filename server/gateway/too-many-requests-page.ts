import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { escapeMarkup } from '../../shared/escape-markup.ts';
import type { Language } from '../../shared/languages.ts';
import type { ErrorPage } from '../http/app.ts';
import type { AppError } from '../http/errors.ts';
import type { GatewayConfig } from './options.ts';

/** What of a language pack stands on the page. */
const checkTexts = Compile(
  Type.Object({
    site: Type.Object({ name: Type.String() }),
    error: Type.Object({ too_many: Type.String(), reload: Type.String() }),
  }),
);

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}';
const HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Tells people, in their language, that too much has been asked for; programs and the calls of pages get the envelope. It
 * is one text for each language, so that refusing costs nothing, and loads nothing that would have to be refused.
 */
export function createTooManyPage({
  languages,
  frameAncestors,
}: Pick<GatewayConfig, 'languages' | 'frameAncestors'>): (
  error: AppError,
  request: FastifyRequest,
) => ErrorPage | undefined {
  const documents = new Map(languages.map((language) => [language, documentIn(language)]));
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${HASH}'; frame-ancestors ${frameAncestors}; base-uri 'none'`,
  };
  return ({ code }, request) => {
    const isRead = (request.headers.accept ?? '').includes('text/html');
    if (code !== 'TOO_MANY_REQUESTS' || !isRead) return undefined;
    const html = documents.get(request.language);
    return html === undefined ? undefined : { headers, html };
  };
}

function documentIn(language: Language): string {
  const file = new URL(`../../locales/${language}.json`, import.meta.url);
  const { site, error } = checkTexts.Parse(JSON.parse(readFileSync(file, 'utf8')));
  return [
    `<!doctype html>\n<html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<title>${escapeMarkup(site.name)}</title><style>${STYLE}</style></head>`,
    `<body><main><h1>429</h1><p>${escapeMarkup(error.too_many)}</p>`,
    `<p><a href="">${escapeMarkup(error.reload)}</a></p></main></body></html>`,
  ].join('');
}
