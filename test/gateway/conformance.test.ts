import t from 'tap';
import { checks } from '../conformance/checks.ts';
import { ownGateway } from '../conformance/own-gateway.ts';
import { runChecks } from '../conformance/runner.ts';

/** Cookies and some headers differ between https and plain http. */
const SITES = ['http://localhost:8080', 'https://square.example'];

/** Each site has its own stubs, and most checks wait for input. */
t.jobs = SITES.length;

await Promise.all(
  SITES.map((publicUrl) =>
    t.test(`every requirement and every bug of a peer at ${publicUrl}`, async (t) => {
      await runChecks(ownGateway(publicUrl), checks, ({ id, title, outcome, reason }) => {
        t.equal(outcome, 'passed', `${id}: ${title}`, { reason });
      });
    }),
  ),
);
