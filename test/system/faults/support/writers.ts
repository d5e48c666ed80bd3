import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import {
  formOf,
  jsonFile,
  packageText,
  pluginForm,
} from '../../../community/publishing/publish/form-parts.ts';
import { mp4 } from '../../../fixtures/media/files.ts';
import type { Received } from '../../../support/browser.ts';
import { confirmValue, type KnownState, type Ledger, newlySubmitted } from './ledger.ts';
import { newClientAddress, openUser, signUp, type TestUser } from './user.ts';

/** Expected status while a service is unavailable. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504, 507]);
/** Milliseconds between two plugins or accounts, and after a failure. */
const PAUSE = 30;
const PAUSE_AFTER_FAILURE = 100;

type Writing = { user: TestUser; ledger: Ledger; shouldContinue: () => boolean };

export type Writers = { stop(): Promise<void> };

/** Starts `count` administrators that publish, approve, like, install and publish again. */
export function startPublishers(user: TestUser, ledger: Ledger, count: number): Writers {
  return startWriters(count, (shouldContinue) => runPluginLifecycle({ user, ledger, shouldContinue }));
}

/** Creates one account after another. */
export function startSignUps(origin: string, ledger: Ledger): Writers {
  return startWriters(1, async () => {
    const account = {
      email: `somebody${randomInt(2 ** 40)}@example.org`,
      password: 'violet-umbrella-tram-9',
    };
    const user = openUser(origin);
    try {
      await signUp(user, account);
      ledger.accounts.push(account);
      acknowledge(ledger);
    } catch {
      ledger.unanswered += 1;
      await delay(PAUSE_AFTER_FAILURE);
    } finally {
      user.browser.close();
    }
  });
}

function startWriters(count: number, write: (shouldContinue: () => boolean) => Promise<void>): Writers {
  let isStopped = false;
  const one = async (): Promise<void> => {
    while (!isStopped) {
      await write(() => !isStopped);
      await delay(PAUSE);
    }
  };
  const all = Array.from({ length: count }, one);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(all);
    },
  };
}

/** Writes the steps of one plugin until an answer is missing. */
async function runPluginLifecycle(writing: Writing): Promise<void> {
  const { user, ledger, shouldContinue } = writing;
  const answer = await attempt(ledger, async () => user.submit('POST', '/api/cmt/plugin', await newPlugin()));
  if (!answer) return;
  const plugin_key = String(answer.json().data.plugin_key);
  const known = newlySubmitted();
  ledger.plugins.set(plugin_key, known);
  ledger.versions.push(`${plugin_key} 1.0.0`);
  const steps = [
    () => approve(writing, known, plugin_key, ['audit_status', 2]),
    () =>
      write(writing, 'POST /api/cmt/plugin/user/praise', known, 'is_praise', 1, { plugin_key, praise: 1 }),
    () => write(writing, 'POST /api/cmt/plugin/user', known, 'is_installed', true, { plugin_key }),
    () => submitVersion(writing, plugin_key),
    () => approve(writing, known, plugin_key, ['version', '1.1.0']),
    () =>
      write(writing, 'POST /api/cmt/plugin/user/praise', known, 'is_praise', -1, { plugin_key, praise: -1 }),
  ];
  for (const step of steps) if (!shouldContinue() || !(await step())) return;
}

async function write<Field extends keyof KnownState>(
  { user, ledger }: Writing,
  call: string,
  known: KnownState,
  field: Field,
  value: KnownState[Field] extends Set<infer Value> ? Value : never,
  body: Record<string, unknown>,
): Promise<boolean> {
  const [method = '', path = ''] = call.split(' ');
  const values: Set<unknown> = known[field];
  values.add(value);
  const answer = await attempt(ledger, () =>
    user.browser.call(path, { method, body: JSON.stringify(body), headers: newClientAddress() }),
  );
  if (answer) confirmValue(values, value);
  return answer !== undefined;
}

/** Approves the newest submission of a plugin, with what the write changes. */
async function approve<Field extends keyof KnownState>(
  writing: Writing,
  known: KnownState,
  plugin_key: string,
  [field, value]: [Field, KnownState[Field] extends Set<infer Value> ? Value : never],
): Promise<boolean> {
  const { user, ledger } = writing;
  const path = `/api/cmt/plugin/edit?plugin_key=${plugin_key}`;
  const newest = await attempt(ledger, () => user.browser.call(path));
  if (!newest) return false;
  const { submission_id, version } = newest.json().data;
  const body = { plugin_key, submission_id, version, audit_status: 2 };
  return write(writing, 'POST /api/cmt/plugin/audit/status', known, field, value, body);
}

async function submitVersion({ user, ledger }: Writing, plugin_key: string): Promise<boolean> {
  const form = formOf({
    plugin_key,
    version: '1.1.0',
    version_note: '{"en-US":"Second"}',
    code: newPackage(),
  });
  const answer = await attempt(ledger, () => user.submit('POST', '/api/cmt/plugin', form));
  if (answer) ledger.versions.push(`${plugin_key} 1.1.0`);
  return answer !== undefined;
}

/** The answer to an acknowledged write; undefined without an answer or after an error. */
async function attempt(ledger: Ledger, ask: () => Promise<Received>): Promise<Received | undefined> {
  const answer = await ask().catch(() => undefined);
  if (answer?.status === 200) {
    acknowledge(ledger);
    return answer;
  }
  ledger.unanswered += 1;
  await delay(PAUSE_AFTER_FAILURE);
  if (answer && !UNAVAILABLE.has(answer.status)) ledger.unexpected.push(`${answer.status} ${answer.text}`);
  return undefined;
}

function acknowledge(ledger: Ledger): void {
  ledger.acknowledged += 1;
  ledger.lastAcknowledgedAt = performance.now();
}

function newPackage(): File {
  return jsonFile(packageText({}, `console.log(${randomInt(2 ** 40)});\n`));
}

/** A form with a unique icon, picture and video. */
export async function newPlugin(): Promise<FormData> {
  const background = { r: randomInt(256), g: randomInt(256), b: randomInt(256) };
  const drawn = await sharp({ create: { width: 96, height: 96, channels: 3, background } })
    .png()
    .toBuffer();
  const picture = new File([new Uint8Array(drawn)], 'icon.png');
  const video = new File(
    [
      new Uint8Array(mp4()),
      new Uint8Array([0, 0, 0, 16]),
      'free',
      String(randomInt(2 ** 40))
        .padStart(8, '0')
        .slice(0, 8),
    ],
    'film.mp4',
  );
  const name = JSON.stringify({ 'en-US': `Grid ${randomInt(2 ** 40).toString(36)}` });
  return pluginForm({ name, code: newPackage(), icon: picture, media: [picture, video] });
}
