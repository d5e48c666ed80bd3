import t from 'tap';
import { profileOfClaims } from '../../../../server/identity/sign-in/federation/profile.ts';

t.test('an address counts only if the provider does not say that it is unverified', (t) => {
  const emailOf = (claims: Record<string, unknown>) =>
    profileOfClaims({ sub: 'ada', email: 'ada@example.org', ...claims }, undefined)?.email;
  for (const claims of [{}, { email_verified: true }, { email_verified: 'true' }])
    t.equal(emailOf(claims), 'ada@example.org', JSON.stringify(claims));
  for (const email_verified of [false, 'false', 'False', '', 'no', '0', 0, 1, null, {}, ['true']])
    t.equal(emailOf({ email_verified }), undefined, JSON.stringify({ email_verified }));
  t.end();
});
