import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { BASE_PATH } from '../../shared/constants.ts';
import { ERRORS } from '../../shared/errors.ts';
import { escapeMarkup } from '../../shared/escape-markup.ts';
import type { Language } from '../../shared/languages.ts';
import type { ErrorPage } from '../http/app.ts';
import type { AppError } from '../http/errors.ts';
import type { GatewayConfig } from './options.ts';
import { type GatewayTexts, gatewayTexts } from './texts.ts';

type Content = { title: string; text: string; link: { href: string; label: string } };

/** What is told to a browser whose request is refused before a page can be rendered. An empty address is the same page. */
const CONTENTS: Readonly<Record<string, (error: GatewayTexts['error']) => Content>> = {
  TOO_MANY_REQUESTS: ({ too_many, reload }) => ({
    title: String(ERRORS.TOO_MANY_REQUESTS.status),
    text: too_many,
    link: { href: '', label: reload },
  }),
  BAD_PATH: ({ not_found_title, not_found_text, back_home }) => ({
    title: not_found_title,
    text: not_found_text,
    link: { href: BASE_PATH, label: back_home },
  }),
};

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}';
const HASH = createHash('sha256').update(STYLE).digest('base64');

/** The error pages in the user's language. Static, so that a refusal is cheap. */
export function createErrorPages({
  languages,
  frameAncestors,
}: Pick<GatewayConfig, 'languages' | 'frameAncestors'>): (
  error: AppError,
  request: FastifyRequest,
) => ErrorPage | undefined {
  const pages = new Map(languages.map((language) => [language, pagesIn(language)]));
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${HASH}'; frame-ancestors ${frameAncestors}; base-uri 'none'`,
  };
  return ({ code }, request) => {
    if (!(request.headers.accept ?? '').includes('text/html') || !Object.hasOwn(CONTENTS, code))
      return undefined;
    const html = pages.get(request.language)?.get(code);
    return html === undefined ? undefined : { headers, html };
  };
}

function pagesIn(language: Language): Map<string, string> {
  const { site, error } = gatewayTexts(language);
  return new Map(
    Object.entries(CONTENTS).map(([code, contentIn]) => [
      code,
      documentOf(contentIn(error), language, site.name),
    ]),
  );
}

function documentOf({ title, text, link }: Content, language: Language, siteName: string): string {
  return [
    `<!doctype html>\n<html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<title>${escapeMarkup(siteName)}</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${escapeMarkup(title)}</h1><p>${escapeMarkup(text)}</p>`,
    `<p><a href="${link.href}">${escapeMarkup(link.label)}</a></p></main></body></html>`,
  ].join('');
}
