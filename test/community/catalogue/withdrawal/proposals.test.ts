import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';

const PROPOSER = 1;
const OTHER = 2;
const USER = 7;
const MALWARE = { reason: 'malware', text: { 'en-US': 'Steals files' }, must_stop: true };

t.test('withdrawals that a second administrator confirms', async (t) => {
  const community = await testCommunity(t, { fourEyes: true });
  const { url, db, bearer } = community;
  const call = async (method: string, path: string, body: Record<string, unknown>, userId: number) =>
    ask(url, path, { method, headers: await bearer(userId, 2), body });
  const withdraw = (plugin_key: string, more: Record<string, unknown> = {}, userId = PROPOSER) =>
    call('PUT', 'manager/plugin/withdrawn', { plugin_key, is_withdrawn: true, ...MALWARE, ...more }, userId);
  const restore = (plugin_key: string, userId = PROPOSER) =>
    call('PUT', 'manager/plugin/withdrawn', { plugin_key, is_withdrawn: false }, userId);
  const confirm = (id: number, userId = OTHER) => call('PUT', 'manager/withdrawal/proposal', { id }, userId);
  const proposals = async (userId = OTHER) => {
    const headers = await bearer(userId, 2);
    const answer = await ask(url, 'manager/withdrawal/proposal/list', { headers });
    const { is_needed, proposal_list } = dataOf(answer, contract.listWithdrawalProposals.data);
    t.equal(is_needed, true);
    return proposal_list;
  };
  const firstId = async () => (await proposals())[0]?.id ?? 0;
  const seen = async (key: string) => (await ask(url, `plugin?plugin_key=${key}`)).status;
  const recorded = async () => ({
    audit: (await db.selectFrom('audit_trail').select(['action', 'actor_id', 'detail']).execute()).filter(
      ({ action }) => /withdraw|restore/.test(action),
    ),
    log: (await db.selectFrom('transparency_log').select('sequence').execute()).length,
  });

  t.test('nothing happens before another one confirms', async (t) => {
    await addPlugin(db, { key: 'proposed-plugin' });
    const asked = await withdraw('proposed-plugin');
    t.equal(asked.status, 200);
    t.hasStrict(asked.json, { data: { withdrawal: null, is_proposed: true } });
    t.equal(await seen('proposed-plugin'), 200);
    t.strictSame(await recorded(), { audit: [], log: 0 });
    t.hasStrict(await proposals(), [
      {
        plugin: { plugin_key: 'proposed-plugin', name: 'Plugin proposed-plugin' },
        version: null,
        publisher: null,
        is_withdrawn: true,
        withdrawal: MALWARE,
        proposed_by: { user_id: PROPOSER },
        is_own: false,
      },
    ]);
    t.hasStrict(await proposals(PROPOSER), [{ is_own: true }]);
    const id = await firstId();
    const own = await confirm(id, PROPOSER);
    t.hasStrict(
      [own.status, own.json],
      [
        403,
        {
          code: 'OWN_PROPOSAL',
          message: 'Another administrator confirms what you have proposed.',
        },
      ],
    );
    t.equal(await seen('proposed-plugin'), 200);

    t.hasStrict((await confirm(id)).json, { data: { change_count: 1 } });
    t.equal(await seen('proposed-plugin'), 410);
    t.strictSame(await proposals(), []);
    t.hasStrict(await recorded(), {
      audit: [
        {
          action: 'plugin.withdraw',
          actor_id: OTHER,
          detail: { proposed_by: PROPOSER, reason: 'Steals files' },
        },
      ],
      log: 1,
    });
    t.equal((await confirm(id)).status, 404, 'once');
  });

  t.test('restoring asks for two as well', async (t) => {
    t.hasStrict((await restore('proposed-plugin', OTHER)).json, { data: { is_proposed: true } });
    t.equal(await seen('proposed-plugin'), 410);
    t.hasStrict(await proposals(), [{ is_withdrawn: false, withdrawal: null }]);
    t.equal((await confirm(await firstId(), PROPOSER)).status, 200);
    t.equal(await seen('proposed-plugin'), 200);
  });

  t.test('one proposal of a target: its proposer replaces it, others find it', async (t) => {
    await addPlugin(db, { key: 'replaced-plugin' });
    await withdraw('replaced-plugin');
    const first = await firstId();
    const taken = await withdraw('replaced-plugin', {}, OTHER);
    t.hasStrict([taken.status, taken.json], [409, { code: 'CONFLICT' }]);
    t.equal((await withdraw('replaced-plugin', { must_stop: false })).status, 200);
    t.equal((await confirm(first)).status, 404, 'what was seen is not what is proposed now');
    t.hasStrict(await proposals(), [{ withdrawal: { must_stop: false } }]);
    t.equal((await withdraw('replaced-plugin', { version: '1.0.0' })).status, 200, 'another target');
    t.hasStrict(await proposals(), [{ version: null }, { version: '1.0.0' }]);
  });

  t.test('anybody of the administrators calls it off', async (t) => {
    const id = await firstId();
    const callOff = (userId: number, one: number) =>
      call('DELETE', 'manager/withdrawal/proposal', { id: one }, userId);
    t.equal((await callOff(PROPOSER, id)).status, 200);
    t.equal((await callOff(PROPOSER, id)).status, 404);
    t.equal((await callOff(OTHER, await firstId())).status, 200);
    t.equal((await confirm(id)).status, 404);
    t.equal(await seen('replaced-plugin'), 200);
  });

  t.test('everything of a publisher', async (t) => {
    const body = { user_id: PUBLISHER_ID, is_withdrawn: true, ...MALWARE };
    const asked = await call('PUT', 'manager/publisher/withdrawn', body, PROPOSER);
    t.hasStrict(asked.json, { data: { plugin_count: 0, is_proposed: true } });
    t.equal(await seen('replaced-plugin'), 200);
    t.hasStrict(await proposals(), [{ plugin: null, publisher: { user_id: PUBLISHER_ID } }]);
    t.hasStrict((await confirm(await firstId())).json, { data: { change_count: 2 } });
    t.equal(await seen('replaced-plugin'), 410);
    t.strictSame(await proposals(), []);
  });

  t.test('a report is decided at once, and its withdrawal proposed', async (t) => {
    await addPlugin(db, { key: 'reported-plugin' });
    const body = { plugin_key: 'reported-plugin', kind: 'malicious', reason: 'It is bad' };
    t.equal((await ask(url, 'plugin/report', { headers: await bearer(USER), body })).status, 200);
    const { id } = await db.selectFrom('report').select('id').executeTakeFirstOrThrow();
    const decided = await call(
      'PUT',
      'manager/report',
      { id, state: 'accepted', withdrawal: MALWARE },
      PROPOSER,
    );
    t.equal(decided.status, 200);
    t.hasStrict(decided.json, { data: { state: 'accepted' } });
    const kept = await db.selectFrom('report').select('is_withdrawing').where('id', '=', id).execute();
    t.strictSame(kept, [{ is_withdrawing: false }]);
    t.equal(await seen('reported-plugin'), 200);
    t.hasStrict(await proposals(), [{ plugin: { plugin_key: 'reported-plugin' } }]);
  });

  t.test('a proposal of what does not exist', async (t) => {
    t.hasStrict(await withdraw('no-plugin'), { status: 404, json: { code: 'PLUGIN_NOT_FOUND' } });
    t.hasStrict(await withdraw('reported-plugin', { version: '9.9.9' }), {
      status: 404,
      json: { code: 'VERSION_NOT_FOUND' },
    });
    t.hasStrict(await withdraw('reported-plugin', { text: {} }), { json: { code: 'VALIDATION_FAILED' } });
  });
});
