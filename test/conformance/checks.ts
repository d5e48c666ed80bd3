import type { Check } from './check.ts';
import { bodyChecks } from './checks/bodies.ts';
import { clientChecks } from './checks/client.ts';
import { cookieChecks, plantedCookieChecks } from './checks/cookies.ts';
import { edgeChecks } from './checks/edge.ts';
import { failureChecks } from './checks/failures.ts';
import { headerChecks } from './checks/headers.ts';
import { helpcenterChecks } from './checks/helpcenter.ts';
import { memberChecks } from './checks/members.ts';
import { originChecks } from './checks/other-origins.ts';
import { pathChecks } from './checks/paths.ts';
import { peerRequestChecks } from './checks/peers-requests.ts';
import { peerSessionChecks } from './checks/peers-sessions.ts';
import { peerSignInChecks } from './checks/peers-sign-in.ts';
import { providerChecks } from './checks/provider.ts';
import { refreshChecks } from './checks/refresh.ts';
import { sameSiteChecks } from './checks/same-site.ts';
import { secretChecks } from './checks/secrets.ts';
import { restartChecks, sessionEndChecks } from './checks/session-end.ts';
import { signInChecks } from './checks/sign-in.ts';
import { toolChecks } from './checks/tools.ts';

/** Chapter and number of "R 9.3" as one number. */
function orderOf({ id }: Check): number {
  const [chapter = 0, number = 0] = id.slice(2).split('.').map(Number);
  return chapter * 1000 + number;
}

/** Checks of docs/requirements.md in order, bugs of peers, then results of attacks. */
export const checks: readonly Check[] = [
  ...[
    ...cookieChecks,
    ...signInChecks,
    ...providerChecks,
    ...sameSiteChecks,
    ...secretChecks,
    ...refreshChecks,
    ...sessionEndChecks,
    ...pathChecks,
    ...headerChecks,
    ...bodyChecks,
    ...failureChecks,
    ...helpcenterChecks,
  ].sort((one, two) => orderOf(one) - orderOf(two)),
  ...peerRequestChecks,
  ...peerSessionChecks,
  ...plantedCookieChecks,
  ...peerSignInChecks,
  ...restartChecks,
  ...edgeChecks,
  ...clientChecks,
  ...toolChecks,
  ...memberChecks,
  ...originChecks,
];
