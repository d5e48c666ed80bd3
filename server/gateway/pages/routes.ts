import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BASE_PATH, HELP_PATH, LOGIN_PATH } from '../../../shared/constants.ts';
import { LANGUAGE_COOKIE_VALUES, LANGUAGE_PARAMETER } from '../../../shared/languages.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { navigationViolation } from '../csrf/rules.ts';
import { pathOf, queryOf } from '../proxy/path.ts';
import { startPath } from '../sign-in/login-params.ts';
import { addressedSignIn } from './addressed-sign-in.ts';
import { createPageHandler } from './page-handler.ts';
import type { PageParts } from './parts.ts';
import { registerPublicFiles } from './public-files.ts';

type Exchange = (reply: FastifyReply, code: string) => Promise<void>;

/** Registers the pages, the files they need, and the ways to the marketplace's home. */
export async function registerPages(
  app: FastifyInstance,
  parts: PageParts & { clientDir: string; exchange: Exchange },
): Promise<void> {
  await registerPublicFiles(app, parts.clientDir);
  const showPage = createPageHandler(parts);
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const found = addressedSignIn(request.raw.url ?? '/');
    if (!found) return showPage(request, reply);
    const { code, force, stripped } = found;
    const isWindow = !navigationViolation(request);
    if (code !== undefined && !force && isWindow && parts.config.login.allowUnsolicitedCode) {
      await parts.consume(request, 'code-exchange');
      await exchangeQuietly(parts, reply, code);
    }
    // The session stays until the new one begins, so that an address ends nobody's.
    const begins = force && isWindow && pathOf(stripped) !== LOGIN_PATH;
    return reply
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .redirect(begins ? startPath({ return_to: stripped, ux_mode: 'redirect', force: '1' }) : stripped, 303);
  };
  for (const url of [`${BASE_PATH}*`, LOGIN_PATH, `${LOGIN_PATH}/*`]) app.get(url, handler);
  if (parts.siteFacts.own_help) registerHelpPages(app, handler);

  const home = (_request: FastifyRequest, reply: FastifyReply) => reply.redirect(BASE_PATH, 302);
  app.get('/', home);
  app.get(BASE_PATH.slice(0, -1), home);
  app.get('/*', (request, reply) => {
    if (!wantsPage(request)) throw appError('NOT_FOUND');
    return handler(request, reply);
  });
}

/** Pages of the help center; its addresses overseas are those of a language (specification section 2). */
function registerHelpPages(
  app: FastifyInstance,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  for (const url of [HELP_PATH.slice(0, -1), `${HELP_PATH}*`]) app.get(url, handler);
  for (const value of Object.values(LANGUAGE_COOKIE_VALUES)) {
    const base = `${HELP_PATH}${value}`;
    const lead = ({ raw }: FastifyRequest, reply: FastifyReply): FastifyReply => {
      const rest = pathOf(raw.url ?? '').slice(base.length + 1);
      const query = new URLSearchParams(queryOf(raw.url ?? ''));
      query.set(LANGUAGE_PARAMETER, value);
      return reply.redirect(`${HELP_PATH}${rest.replace(/^\/+/, '')}?${query}`, 302);
    };
    for (const url of [base, `${base}/*`]) app.get(url, lead);
  }
}

/** Whether a browser asks for a page where none lives, which then says so: not a call, not a file, not a program. */
function wantsPage({ headers, raw }: FastifyRequest): boolean {
  const path = pathOf(raw.url ?? '/');
  const isPage = !/^\/api(?:\/|$)/.test(path) && !/\.\w+$/.test(path);
  return isPage && (headers.accept ?? '').includes('text/html');
}

/** A code that nobody here asked for and that does not work is simply taken away. */
async function exchangeQuietly(
  { exchange }: { exchange: Exchange },
  reply: FastifyReply,
  code: string,
): Promise<void> {
  try {
    await exchange(reply, code);
  } catch (error) {
    if (!isAppError(error)) throw error;
    reply.request.log.warn({ code: error.code }, 'unsolicited code not exchanged');
  }
}
