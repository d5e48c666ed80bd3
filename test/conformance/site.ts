import type { Test } from 'tap';
import { checks } from './checks.ts';
import { ownGateway } from './own-gateway.ts';
import { runChecks } from './runner.ts';

/** Tests that our gateway passes every check on a site. Cookies and some headers differ between https and plain http. */
export async function testConformance(t: Test, publicUrl: string): Promise<void> {
  await runChecks(ownGateway(publicUrl), checks, ({ id, title, outcome, reason }) => {
    t.equal(outcome, 'passed', `${id}: ${title}`, { reason });
  });
}
