import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import type { OwnProfile } from '../../../../shared/entities/publisher.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import { secureLink } from '../../../../shared/site-link.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { languageOf } from '../../language.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { upsertUser } from '../../people/users.ts';
import { plainTexts, refusedAt } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { changeHandle, isChosen } from './handles.ts';
import { lockHandle, readProfileRow, writeProfile } from './profile-store.ts';

type Asked = BodyOf<typeof contract.updateOwnProfile>;

/** Addresses of https, each once. @throws VALIDATION_FAILED */
function linksOf(texts: readonly string[]): string[] {
  const links = texts.map((text, index) => {
    const link = secureLink(text);
    if (!link) throw refusedAt(`/links/${index}`, 'must be an https address');
    return link;
  });
  return [...new Set(links)];
}

/**
 * Changes what a publisher says about themselves, and their handle. What an administrator has hidden stays hidden.
 * @throws HANDLE_RESERVED, HANDLE_VERIFIED, HANDLE_TAKEN, HANDLE_LIMIT_REACHED, VALIDATION_FAILED
 */
async function updateProfile(db: Db, { handle, about, default_lang, links }: Asked, caller: Caller) {
  const profile = { default_lang, about: plainTexts(about, '/about'), links: linksOf(links) };
  await db.transaction().execute(async (trx) => {
    await upsertUser(trx, caller);
    const from = await lockHandle(trx, caller.user_id);
    if (from === undefined) throw appError('FORBIDDEN');
    if (handle !== undefined && handle !== from)
      await changeHandle(trx, caller.user_id, { from, to: handle });
    await writeProfile(trx, caller.user_id, profile);
  });
}

/** The profile of the caller, whose row may not exist before. */
export function profileRoutes(app: FastifyInstance): void {
  const { db } = app;
  const read = async (caller: Caller, language: OwnProfile['default_lang']): Promise<OwnProfile> => {
    const row = await readProfileRow(db, caller.user_id);
    if (!row) throw appError('PUBLISHER_NOT_FOUND');
    return { ...row, default_lang: row.default_lang ?? language, is_chosen: isChosen(row.handle) };
  };
  implement(app, contract.readOwnProfile, async ({ request }) => {
    const caller = callerOf(request);
    await upsertUser(db, caller);
    return read(caller, languageOf(request));
  });
  implement(app, contract.updateOwnProfile, async ({ body, request }) => {
    const caller = callerOf(request);
    await updateProfile(db, body, caller);
    return read(caller, languageOf(request));
  });
}
