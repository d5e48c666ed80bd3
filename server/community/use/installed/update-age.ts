import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { implement } from '../../../http/implement.ts';
import { readMinAge, setMinAge } from '../../catalogue/installations/store.ts';
import { checkChosenAge, updateAgeOf } from '../../catalogue/installations/update-age.ts';
import { callerOf } from '../../people/auth/caller.ts';

/** How old versions must be before a person gets them as updates. */
export function updateAgeRoutes(app: FastifyInstance): void {
  const { db } = app;
  const { updates } = app.community;
  implement(app, contract.readUpdateAge, async ({ request }) =>
    updateAgeOf(updates, await readMinAge(db, callerOf(request).user_id)),
  );
  implement(app, contract.changeUpdateAge, async ({ body: { days }, request }) => {
    checkChosenAge(updates, days);
    await setMinAge(db, callerOf(request).user_id, days);
    return updateAgeOf(updates, days ?? null);
  });
}
