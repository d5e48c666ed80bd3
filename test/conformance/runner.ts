import { AssertionError } from 'node:assert/strict';
import { type Dialect as BrowserDialect, openBrowser, send } from '../support/browser.ts';
import { sendRaw } from '../support/raw-request.ts';
import { type StubUpstream, startStub } from '../support/stub-upstream.ts';
import { type Check, type Context, type Dialect, NotSeen, type Target, type Variant } from './check.ts';
import { seenOnlyWith } from './expect.ts';
import { realServices } from './real-services.ts';
import { scriptPeople } from './users.ts';

export type Result = {
  id: string;
  title: string;
  outcome: 'passed' | 'failed' | 'not seen';
  /** Why it failed, or could not be checked. */
  reason?: string;
  milliseconds: number;
};

/** A gateway under test: started for each check, or already running. */
export type Subject = {
  dialect: Dialect;
  /** Ports of the stubs for a running gateway; 0 for any. */
  ports: { upstream: number; identity: number };
} & (
  | { start(variant: Variant, stubs: { upstream: string; identity: string }): Promise<Target> }
  | { running: Target }
);

/** Maximum duration of a check. */
const TIMEOUT_MS = 90_000;

/** Runs checks one after the other, each against a new gateway if one can be started. */
export async function runChecks(
  subject: Subject,
  checks: readonly Check[],
  report: (result: Result) => void = () => undefined,
): Promise<Result[]> {
  const ends: (() => Promise<void>)[] = [];
  const teardown = (end: () => Promise<void>) => void ends.push(end);
  const upstream = await startStub({ teardown }, subject.ports.upstream);
  const identity = await startStub({ teardown }, subject.ports.identity);
  const results: Result[] = [];
  for (const check of checks) {
    const result = await runCheck(subject, check, { upstream, identity });
    results.push(result);
    report(result);
  }
  for (const end of ends) await end();
  return results;
}

type Stubs = { upstream: StubUpstream; identity: StubUpstream };

async function runCheck(subject: Subject, check: Check, stubs: Stubs): Promise<Result> {
  const begun = performance.now();
  for (const stub of [stubs.upstream, stubs.identity]) {
    stub.reset();
    await stub.resume();
  }
  const opened: { close(): Promise<void> }[] = [];
  const outcome = await openContext(subject, stubs, opened)
    .then((context) => withinPatience(check.run(context)))
    .then((): Pick<Result, 'outcome' | 'reason'> => ({ outcome: 'passed' }), outcomeOf);
  for (const { close } of opened) await close();
  const { id, title } = check;
  return { id, title, ...outcome, milliseconds: Math.round(performance.now() - begun) };
}

async function withinPatience(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function outcomeOf(error: unknown): Pick<Result, 'outcome' | 'reason'> {
  if (error instanceof NotSeen) return { outcome: 'not seen', reason: error.message };
  const reason = error instanceof AssertionError ? error.message : String(error);
  return { outcome: 'failed', reason };
}

async function openContext(
  subject: Subject,
  stubs: Stubs,
  opened: { close(): Promise<void> }[],
): Promise<Context> {
  const { dialect } = subject;
  const { upstream, identity } = stubs;
  async function start(variant: Variant): Promise<Target> {
    if (!('start' in subject)) throw new NotSeen(`needs a gateway started with ${settingsOf(variant)}`);
    const target = await subject.start(variant, {
      upstream: variant.upstream ?? upstream.url,
      identity: variant.identity ?? identity.url,
    });
    opened.push(target);
    return target;
  }
  const people = scriptPeople(identity);
  upstream.on('GET /api/cmt/manager/verify', () => ({ ...VERIFIED, role: 0 }));
  const target = 'running' in subject ? subject.running : await start({});
  const spoken: BrowserDialect = { loginPath: dialect.loginPath, headers: dialect.headers };
  const browser = (at = target) => openBrowser(at.url, at.publicUrl, spoken);
  return {
    ...{ target, dialect, upstream, identity, people, browser, start },
    async realServices() {
      if (!('start' in subject)) throw new NotSeen('needs a gateway started for other services');
      return realServices({ teardown: (close) => void opened.unshift({ close }) }, target.publicUrl);
    },
    async restart() {
      const again = await seenOnlyWith(target.restart, 'a gateway that can be restarted')();
      opened.push(again);
      return again;
    },
    async signedIn(person = 7, at = target) {
      const opening = browser(at);
      const answer = await opening.signIn({ code: `person-${person}` });
      if (answer.status !== 303 && answer.status !== 302) {
        throw new AssertionError({ message: `signing in answered ${answer.status}: ${answer.text}` });
      }
      return opening;
    },
    call: (path, sending = {}) =>
      send(target.url, path, { ...sending, headers: { ...dialect.headers, ...sending.headers } }),
    raw: (text, silence) => sendRaw(target.url, text, silence === undefined ? {} : { silence }),
  };
}

const VERIFIED = { user_id: 7, nick_name: 'Person 7', avatar_url: '', may_publish: false };

function settingsOf({ settings, keys, upstream, identity }: Variant): string {
  const words = [
    ...Object.entries(settings ?? {}).map(([name, value]) => `${name}=${value}`),
    ...(keys ? ['given keys'] : []),
    ...(upstream === undefined ? [] : ['another upstream']),
    ...(identity === undefined ? [] : ['another user service']),
  ];
  return words.join(', ') || 'the same settings';
}
