import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import type { ActiveSlot } from '../../../../shared/entities/site.ts';
import { implement } from '../../../http/implement.ts';
import { cardsOf, type Reader } from '../../catalogue/plugins/cards.ts';
import { languageOf } from '../../language.ts';
import { callerOf, visitorOrCaller } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { addSlot, changeSlot, disableSlot, listSlots } from './slots.ts';
import { readActiveSlotRows } from './store.ts';

/** Resource slots: plugins that are featured on the home page for a time (R 7.7). */
export function slotsRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  const contextOf = (request: FastifyRequest) => ({
    caller: callerOf(request),
    now: now(),
    language: languageOf(request),
  });
  implement(app, contract.addSlot, ({ body, request }) => addSlot(db, body, contextOf(request)));
  implement(app, contract.changeSlot, ({ body, request }) => changeSlot(db, body, contextOf(request)));
  implement(app, contract.disableSlot, ({ query, request }) => disableSlot(db, query, contextOf(request)));
  implement(app, contract.listSlots, ({ query, request }) => listSlots(db, query, contextOf(request)));
  implement(app, contract.listActiveSlots, async ({ request }) => ({
    slot_list: await listActiveSlots(db, now(), {
      caller: visitorOrCaller(request),
      language: languageOf(request),
    }),
  }));
}

/**
 * Lists the active slots. The gateway may cache an anonymous response for the contract's five seconds, so visitors may see a
 * slot start or end that much later.
 * @param now milliseconds since 1970
 */
async function listActiveSlots(db: Db, now: number, reader: Reader): Promise<ActiveSlot[]> {
  const rows = await readActiveSlotRows(db, new Date(now));
  const cards = await cardsOf(db, [...new Set(rows.map((row) => row.plugin_id))], reader);
  const byKey = new Map(cards.map((card) => [card.plugin_key, card]));
  return rows.flatMap(({ id, link, plugin_key }) => {
    const plugin = byKey.get(plugin_key);
    return plugin ? [{ id, link, plugin }] : [];
  });
}
