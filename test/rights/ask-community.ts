import type { Test } from 'tap';
import { addPlugin } from '../community/add-plugin.ts';
import { addSubmission } from '../community/add-submission.ts';
import { type TestCommunity, testCommunity } from '../support/community.ts';
import { PAGE, requestOf, type Subject } from './requests.ts';
import { CALLERS, type CallerName, contradictionOf, RIGHTS } from './table.ts';

const OWNER = 100;
const OTHER = 7;

/** Calls the community service directly, without a gateway: one test for each row of the table. */
export async function testCommunityRights(t: Test): Promise<void> {
  const open = await testCommunity(t, { publishers: 'members' });
  const closed = await testCommunity(t, { publishers: 'admins' });
  let serial = 0;

  /** Until a call may have changed it: a plugin of the owner, one in its first review, and a token. */
  const subjects = new Map<TestCommunity, Subject & { secret: string }>();
  async function subjectOf(at: TestCommunity): Promise<Subject & { secret: string }> {
    const subject = subjects.get(at) ?? (await createSubject(at));
    subjects.set(at, subject);
    return subject;
  }
  async function createSubject(at: TestCommunity): Promise<Subject & { secret: string }> {
    serial += 1;
    const plugin_key = `published-${serial}`;
    const waiting_key = `waiting-${serial}`;
    await addPlugin(at.db, { key: plugin_key, publisherId: OWNER });
    const waiting = await addPlugin(at.db, { key: waiting_key, publisherId: OWNER, auditStatus: 1 });
    const submission_id = await addSubmission(at.db, { pluginId: waiting, createdBy: OWNER });
    const subject = { plugin_key, waiting_key, submission_id };
    if (at === closed) return { ...subject, token_id: 1, secret: '' };
    await at.pool.query('delete from publish_token');
    const response = await fetch(`${at.url}/api/cmt/plugin/token`, {
      method: 'POST',
      headers: { ...(await at.bearer(OWNER, 0)), 'content-type': 'application/json' },
      body: JSON.stringify({ name: `CI ${serial}` }),
    });
    const { data } = await response.json();
    return { ...subject, token_id: data.token.id, secret: data.secret };
  }

  type Headers = Promise<Record<string, string>>;
  const callers: Readonly<
    Record<CallerName, { at: TestCommunity; headers: (about: { secret: string }) => Headers }>
  > = {
    visitor: { at: open, headers: async () => ({}) },
    member: { at: closed, headers: () => closed.bearer(OTHER, 0) },
    publisher: { at: open, headers: () => open.bearer(OTHER, 0) },
    owner: { at: open, headers: () => open.bearer(OWNER, 0) },
    admin: { at: open, headers: () => open.bearer(OTHER, 2) },
    super: { at: open, headers: () => open.bearer(OTHER, 1) },
    token: { at: open, headers: async ({ secret }) => ({ authorization: `Bearer ${secret}` }) },
  };

  const rights = RIGHTS.filter(({ call }) => / \/api\/(?:cmt|helpcenter)\//.test(call));
  for (const { call, variant, outcomes } of rights) {
    t.test(`${call}${variant ? ` (${variant})` : ''}`, async (t) => {
      const wrong: string[] = [];
      for (const caller of CALLERS) {
        const { at, headers } = callers[caller];
        const about = await subjectOf(at);
        const { method, path, body } = requestOf(call, variant, about);
        const response = await fetch(at.url + path, {
          method,
          headers: {
            ...PAGE,
            ...(await headers(about)),
            ...(typeof body === 'string' && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body }),
        });
        const { status } = response;
        const answer = { status, text: await response.text(), isRefused: status === 401 || status === 403 };
        if (method !== 'GET' && !answer.isRefused) subjects.delete(at);
        wrong.push(...contradictionOf(caller, outcomes[caller], answer));
      }
      t.strictSame(wrong, []);
    });
  }
}
