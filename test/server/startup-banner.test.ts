import { pino } from 'pino';
import t from 'tap';
import { showStartupBanner } from '../../server/startup-banner.ts';

/** Output and log, with and without a terminal. */
function greeting(isTTY: boolean) {
  const printed: string[] = [];
  const logged: string[] = [];
  const terminal = { isTTY, write: (text: string) => printed.push(text) };
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void logged.push(line) });
  return { printed, logged, out: { log, terminal } };
}

const NOTICE = { address: 'http://localhost:8080/plugins/', firstTags: ['zh-CN', 'en-US'] as const };

t.test('the first start shows its tags on a terminal', async (t) => {
  const { printed, logged, out } = greeting(true);
  showStartupBanner(NOTICE, out);
  t.equal(
    printed.join(''),
    `
  Plugin Square is at http://localhost:8080/plugins/

  There were no tags: a first set was added, with names in zh-CN, en-US
  Administrators change it in the backstage, under Tags

`,
  );
  t.strictSame(logged, []);
});

t.test('without a terminal the tags are not logged again', async (t) => {
  const { printed, logged, out } = greeting(false);
  showStartupBanner(NOTICE, out);
  t.strictSame(printed, []);
  t.strictSame(
    logged.map((line) => JSON.parse(line).msg),
    ['Plugin Square is at http://localhost:8080/plugins/'],
  );
});

t.test('later starts do not mention tags', async (t) => {
  const { printed, out } = greeting(true);
  showStartupBanner({ address: 'http://localhost:8080/plugins/' }, out);
  t.equal(printed.join(''), '\n  Plugin Square is at http://localhost:8080/plugins/\n\n');
});
