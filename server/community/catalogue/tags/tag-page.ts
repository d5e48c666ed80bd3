import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { FALLBACK_LANGUAGE, textIn } from '../../../../shared/languages.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { cardsOf } from '../plugins/cards.ts';
import { readerOf } from '../plugins/plugins.ts';
import { readTagFeaturedIds, readTagIntro } from './store.ts';

/** Plugins in the row of a tag. */
const SHOWN = 4;

/** What the page of a tag has above its list. */
export function tagPageRoutes(app: FastifyInstance): void {
  const { db } = app;
  implement(app, contract.readTagPage, async ({ query, request }) => {
    const reader = readerOf(request);
    const intros = await readTagIntro(db, query.tag_id);
    if (!intros) throw appError('TAG_NOT_FOUND');
    const { text, lang } = textIn(intros, reader.language, FALLBACK_LANGUAGE);
    const ids = await readTagFeaturedIds(db, query.tag_id, SHOWN);
    return { intro: text, intro_lang: lang, plugin_list: await cardsOf(db, ids, reader) };
  });
}
