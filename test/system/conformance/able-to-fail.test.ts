import t from 'tap';
import { checks } from '../../conformance/checks.ts';
import { laxServer } from '../../conformance/lax-server.ts';
import { naiveBff } from '../../conformance/naive-bff.ts';
import { runChecks } from '../../conformance/runner.ts';

/**
 * Bugs that the pinned versions of Node, Fastify and the proxy no longer have, or that a token in a cookie excludes.
 */
const NOT_OF_THE_NAIVE = [
  'GHSA-2q7r-29rg-6m5h',
  'GHSA-v2v2-hph8-q5xp',
  'CVE-2026-25223',
  'CVE-2026-44578',
  'CVE-2026-1525',
  'CVE-2023-29019',
];

/** The naive gateway fails these for another reason: a real user service does not sign in anybody there. */
const AT_REAL_SERVICES = ['members-proof', 'tool-proof', 'tool-rotation', 'tool-token', 'withdrawn-delivery'];

/** Named for what they show. */
const SHOWN_BY_ATTACKS = [
  'confidential-client',
  'cors-of-strangers',
  'media-vary',
  'members-proof',
  'nested-json',
  'pages-counted',
  'port-in-forwarded-for',
  'sessions-counted',
  'tokens-in-answers',
  'tokens-of-tools',
  'tool-proof',
  'tool-rotation',
  'tool-token',
  'withdrawn-delivery',
];

const ids = checks.map(({ id }) => id);

t.test('there is a check for each requirement and for each bug', async (t) => {
  const numbered = ids.filter((id) => id.startsWith('R '));
  const chapter = (number: number, length: number) =>
    Array.from({ length }, (_none, index) => `R ${number}.${index + 1}`);
  t.strictSame(numbered, [...chapter(9, 22), ...chapter(10, 13)]);
  t.equal(ids.length - numbered.length, 29 + SHOWN_BY_ATTACKS.length);
  t.strictSame(
    SHOWN_BY_ATTACKS.filter((id) => !ids.includes(id)),
    [],
  );
  t.equal(new Set(ids).size, ids.length);
});

t.test('a naive gateway fails every check but those its libraries answer for', async (t) => {
  const results = await runChecks(naiveBff('https://square.example'), checks);
  const notFailed = results.filter(({ outcome }) => outcome !== 'failed').map(({ id }) => id);
  t.strictSame(notFailed.sort(), [...NOT_OF_THE_NAIVE].sort());
});

t.test('those fail before a server that agrees with everything', async (t) => {
  const chosen = checks.filter(({ id }) => [...NOT_OF_THE_NAIVE, ...AT_REAL_SERVICES].includes(id));
  for (const { id, outcome, reason } of await runChecks(laxServer('https://square.example'), chosen)) {
    t.equal(outcome, 'failed', id);
    t.notMatch(reason, /^\w*Error: /, 'by what it checks, not by an accident');
  }
});
