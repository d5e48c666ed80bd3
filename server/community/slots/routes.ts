import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf, visitorOrCaller } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { languageOf } from '../language.ts';
import type { Db } from '../schema.ts';
import { listActiveSlots } from './active.ts';
import { addSlot, changeSlot, disableSlot, listSlots } from './slots.ts';

/** Resource slots: plugins that the home page features for a time (specification section 4). */
export function slotsRoutes(app: FastifyInstance, guards: Guards, db: Db, now: () => number): void {
  const doing = (request: FastifyRequest) => ({
    caller: callerOf(request),
    now: now(),
    language: languageOf(request),
  });
  implement(app, guards.admin, contract.addSlot, ({ body, request }) => addSlot(db, body, doing(request)));
  implement(app, guards.admin, contract.changeSlot, ({ body, request }) =>
    changeSlot(db, body, doing(request)),
  );
  implement(app, guards.admin, contract.disableSlot, ({ query, request }) =>
    disableSlot(db, query, doing(request)),
  );
  implement(app, guards.admin, contract.listSlots, ({ query, request }) =>
    listSlots(db, query, doing(request)),
  );
  implement(app, guards.all, contract.listActiveSlots, async ({ request }) => ({
    slot_list: await listActiveSlots(db, now(), {
      caller: visitorOrCaller(request),
      language: languageOf(request),
    }),
  }));
}
