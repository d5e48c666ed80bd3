import type { Boot, Theme } from '../../../shared/boot.ts';
import type { SessionView } from '../../../shared/entities/user.ts';
import type { Language } from '../../../shared/languages.ts';
import { type SharedAnswer, sharedAnswer } from '../answers/shared-answer.ts';
import type { PageParts } from './parts.ts';
import type { Surroundings } from './surroundings.ts';

export type PageRequest = {
  /** Path and query. */
  target: string;
  language: Language;
  theme: Theme;
  surroundings: Surroundings;
  /** null: not known, because the browser kept its Strict cookie back. */
  session: SessionView | null;
  bearer: string | undefined;
  /** Tokens of the session. */
  tokens: readonly string[];
  /** False when the session has no fresh token: then the page asks for its data itself. */
  withData: boolean;
  headers: Record<string, string>;
};

const HTML = 'text/html; charset=utf-8';

/** Pages tell times to the minute; so one that is made anew within it is the same, and browsers that have it keep it. */
const MINUTE = 60_000;

/** Says nothing but the status: the packs of texts live in the build that has just failed. */
const FAILED = Buffer.from('<!doctype html><meta charset="utf-8"><title>500</title><p>500</p>');

/** Renders a page with the first data of its route (design section 8); a page that cannot be rendered is a plain 500. */
export async function makePage(parts: PageParts, page: PageRequest): Promise<SharedAnswer> {
  const { entry, log, now } = parts;
  try {
    const needs = page.withData ? entry.needs(page.target) : [];
    const answered = await parts.readNeeds({ ...page, needs });
    const boot: Boot = {
      now: Math.floor(now() / MINUTE) * MINUTE,
      language: page.language,
      theme: page.theme,
      ...parts.siteFacts,
      ...page.surroundings,
      login_frame: parts.loginFrame(),
      sign_up: await parts.signUpOpen(),
      session: page.session,
      answered,
    };
    const { status, html } = await entry.render(page.target, boot);
    return sharedAnswer(status, HTML, Buffer.from(html));
  } catch (error) {
    log.error({ err: error }, 'page not rendered');
    return sharedAnswer(500, HTML, FAILED);
  }
}
