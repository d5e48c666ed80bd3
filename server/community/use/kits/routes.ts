import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { implement } from '../../../http/implement.ts';
import { languageOf } from '../../language.ts';
import { callerOf } from '../../people/auth/caller.ts';
import { deleteKit, listKits, orderKit, readKit, saveKit, setKitPlugin } from './kits.ts';

/** Onboarding kits, which administrators make: default installs for a group. */
export function kitsRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  const changing = (request: FastifyRequest) => ({ caller: callerOf(request), at: new Date(now()) });
  implement(app, contract.listKits, async () => ({ kit_list: await listKits(db) }));
  implement(app, contract.readKit, ({ query, request }) =>
    readKit(db, query.id, { caller: callerOf(request), language: languageOf(request) }),
  );
  implement(app, contract.saveKit, ({ body, request }) => saveKit(db, body, changing(request)));
  implement(app, contract.deleteKit, async ({ body, request }) => {
    await deleteKit(db, body.id, changing(request));
    return {};
  });
  implement(app, contract.setKitPlugin, async ({ body, request }) => {
    await setKitPlugin(db, body, changing(request));
    return {};
  });
  implement(app, contract.orderKit, async ({ body, request }) => {
    await orderKit(db, body, changing(request));
    return {};
  });
}
