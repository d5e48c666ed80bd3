import t from 'tap';
import { endsAt, isExpiring, isOver, type Session } from '../../../server/gateway/session/session.ts';

const START = Date.UTC(2026, 4, 20, 12);
const MINUTE = 60_000;
const LIMITS = { idle: 30 * MINUTE, max: 180 * MINUTE };
const SESSION: Session = {
  id: 'one',
  generation: 0,
  access_token: 'access',
  refresh_token: 'refresh',
  access_expires: null,
  refresh_expires: null,
  started: START,
  seen: START,
  validated: START,
  sub: null,
  sid: null,
  login_method: null,
  user: {
    ...{ user_id: 1, user_name: '', nick_name: '', email: '', mobile: '', sex: 0, birthday: '', channel: '' },
    ...{ tencent_docs: false, avatar_url: '', created_at: '', department: '', e_id: 0, account_id: 0 },
    ...{ is_administrator: false, is_owner: false, staff_status: 0, identification: '' },
  },
};

t.test('a session ends after the idle timeout, to the millisecond', async (t) => {
  const over = (after: number, seen = 0) => isOver({ ...SESSION, seen: START + seen }, LIMITS, START + after);
  t.equal(over(30 * MINUTE - 1), false);
  t.equal(over(30 * MINUTE), true);
  t.equal(over(50 * MINUTE, 21 * MINUTE), false, 'it was used in the meantime');
  t.equal(over(51 * MINUTE, 21 * MINUTE), true);
});

t.test('use does not extend a session beyond its lifetime or its refresh token', async (t) => {
  const busy = { ...SESSION, seen: START + 179 * MINUTE };
  t.equal(isOver(busy, LIMITS, START + 180 * MINUTE - 1), false);
  t.equal(isOver(busy, LIMITS, START + 180 * MINUTE), true);
  const short = { ...SESSION, refresh_expires: START + 10 * MINUTE };
  t.equal(isOver(short, LIMITS, START + 10 * MINUTE - 1), false);
  t.equal(isOver(short, LIMITS, START + 10 * MINUTE), true);
  t.equal(endsAt(short, LIMITS), START + 10 * MINUTE);
  t.equal(endsAt({ ...SESSION, refresh_expires: START + 999 * MINUTE }, LIMITS), START + 180 * MINUTE);
});

t.test('a token is refreshed five seconds before its expiry; one without expiry is not', async (t) => {
  const expiring = (left: number) => isExpiring({ access_expires: START + left }, START);
  t.equal(expiring(5001), false);
  t.equal(expiring(5000), true);
  t.equal(expiring(-1), true);
  t.equal(isExpiring({ access_expires: null }, START), false);
});
