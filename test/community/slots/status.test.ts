import t from 'tap';
import { slotDuration, slotStatus } from '../../../server/community/slots/status.ts';

const SECOND = 1000;

/**
 * Slots as administrators of three places write them. Two span a change of daylight-saving time: Berlin loses an hour in
 * the night of the slot, New York has one twice.
 */
const PLACES: [zone: string, start: string, end: string, hours: number][] = [
  ['Asia/Shanghai', '2026-07-01T09:00:00+08:00', '2026-07-01T18:00:00+08:00', 9],
  ['Europe/Berlin', '2026-03-29T01:30:00+01:00', '2026-03-29T03:30:00+02:00', 1],
  ['America/New_York', '2026-11-01T01:30:00-04:00', '2026-11-01T01:30:00-05:00', 1],
];

const own = process.env.TZ;
t.teardown(() => {
  if (own === undefined) delete process.env.TZ;
  else process.env.TZ = own;
});

for (const [place, start_at, end_at, hours] of PLACES) {
  for (const [zone] of PLACES) {
    t.test(`a slot of ${place} on a server in ${zone}`, async (t) => {
      process.env.TZ = zone;
      const long_before = Date.parse('2026-01-01T00:00:00Z');
      const duration = slotDuration({ start_at, end_at }, long_before);
      const start = duration.start_at.getTime();
      const end = duration.end_at.getTime();
      t.equal(end - start, hours * 3600 * SECOND);
      const slot = { ...duration, is_disabled: false, is_visible: true };
      t.equal(slotStatus(slot, start - SECOND), 'inactive', 'a second before');
      t.equal(slotStatus(slot, start - 1), 'inactive', 'the last moment before');
      t.equal(slotStatus(slot, start), 'active', 'the second of the start');
      t.equal(slotStatus(slot, end - SECOND), 'active', 'the last second');
      t.equal(slotStatus(slot, end - 1), 'active', 'the last moment');
      t.equal(slotStatus(slot, end), 'expired', 'the second of the end');
      t.equal(slotStatus(slot, end + SECOND), 'expired');
    });
  }
}

t.test('a disabled slot, and one of an invisible plugin, is invalid at any time', async (t) => {
  const times = { start_at: new Date(1000), end_at: new Date(2000) };
  for (const now of [0, 1000, 2000]) {
    t.equal(slotStatus({ ...times, is_disabled: true, is_visible: true }, now), 'invalid');
    t.equal(slotStatus({ ...times, is_disabled: false, is_visible: false }, now), 'invalid');
  }
});

t.test('reports the first error of a duration', async (t) => {
  const now = Date.parse('2026-05-01T12:00:00Z');
  const CASES: [given: { start_at?: string; end_at?: string }, code: string, message: string][] = [
    [{}, 'DURATION_REQUIRED', 'Please set up a duration.'],
    [{ start_at: '2026-05-02T00:00:00Z' }, 'DURATION_REQUIRED', 'Please set up a duration.'],
    [{ end_at: '2026-05-02T00:00:00Z' }, 'DURATION_REQUIRED', 'Please set up a duration.'],
    [
      { start_at: '2026-05-03T00:00:00Z', end_at: '2026-05-02T23:59:59Z' },
      'END_BEFORE_START',
      'The end date cannot earlier than the start date.',
    ],
    [
      { start_at: '2026-05-03T00:00:00Z', end_at: '2026-05-03T00:00:00Z' },
      'END_BEFORE_START',
      'The end date cannot earlier than the start date.',
    ],
    [
      { start_at: '2026-05-03T00:00:00+00:00', end_at: '2026-05-03T07:59:59+08:00' },
      'END_BEFORE_START',
      'The end date cannot earlier than the start date.',
    ],
    [
      { start_at: '2026-05-01T00:00:00Z', end_at: '2026-05-01T11:59:59Z' },
      'END_BEFORE_NOW',
      'The end date cannot earlier than now.',
    ],
    [
      { start_at: '2026-05-01T00:00:00Z', end_at: '2026-05-01T12:00:00Z' },
      'END_BEFORE_NOW',
      'The end date cannot earlier than now.',
    ],
    [
      { start_at: '2026-04-30T23:59:60Z', end_at: '2026-05-02T00:00:00Z' },
      'VALIDATION_FAILED',
      'The request is not valid.',
    ],
  ];
  for (const [given, code, message] of CASES) t.throws(() => slotDuration(given, now), { code, message });
  t.strictSame(slotDuration({ start_at: '2026-05-01T00:00:00Z', end_at: '2026-05-01T12:00:01Z' }, now), {
    start_at: new Date('2026-05-01T00:00:00Z'),
    end_at: new Date('2026-05-01T12:00:01Z'),
  });
});
