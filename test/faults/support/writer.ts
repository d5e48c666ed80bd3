import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { formOf, jsonFile, packageText, pluginForm } from '../../community/publish/form-parts.ts';
import { mp4 } from '../../fixtures/media/mp4.ts';
import type { Received } from '../../support/browser.ts';
import { handedIn, type Known, type Ledger, settled } from './ledger.ts';
import { newAddress, openPerson, type Person, signUp } from './person.ts';

/** What may be answered while a part is away. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504, 507]);
/** Milliseconds between two plugins or accounts, and before anything is tried after a failure. */
const BREATH = 30;
const PAUSE = 100;

type Writing = { person: Person; ledger: Ledger; mayGoOn: () => boolean };

/** Who writes until told to stop. */
export type Writers = { stop(): Promise<void> };

/** Administrators who publish, approve, like, install and publish again, so many at the same time. */
export function publishers(person: Person, ledger: Ledger, count: number): Writers {
  return keepWriting(count, (mayGoOn) => bringOut({ person, ledger, mayGoOn }));
}

/** People who make themselves an account, one after another. */
export function newcomers(origin: string, ledger: Ledger): Writers {
  return keepWriting(1, async () => {
    const account = {
      email: `somebody${randomInt(2 ** 40)}@example.org`,
      password: 'violet-umbrella-tram-9',
    };
    const person = openPerson(origin);
    try {
      await signUp(person, account);
      ledger.accounts.push(account);
      acknowledge(ledger);
    } catch {
      ledger.unanswered += 1;
      await delay(PAUSE);
    } finally {
      person.browser.close();
    }
  });
}

function keepWriting(count: number, write: (mayGoOn: () => boolean) => Promise<void>): Writers {
  let isOver = false;
  const one = async (): Promise<void> => {
    while (!isOver) {
      await write(() => !isOver);
      await delay(BREATH);
    }
  };
  const all = Array.from({ length: count }, one);
  return {
    async stop() {
      isOver = true;
      await Promise.all(all);
    },
  };
}

/** The life of one plugin; it ends where an answer is missing. */
async function bringOut(writing: Writing): Promise<void> {
  const { person, ledger, mayGoOn } = writing;
  const answer = await attempt(ledger, async () =>
    person.submit('POST', '/api/cmt/plugin', await newPlugin()),
  );
  if (!answer) return;
  const plugin_key = String(answer.json().data.plugin_key);
  const known = handedIn();
  ledger.plugins.set(plugin_key, known);
  ledger.versions.push(`${plugin_key} 1.0.0`);
  const steps = [
    () =>
      write(writing, 'POST /api/cmt/plugin/audit/status', known, 'audit_status', 2, {
        plugin_key,
        audit_status: 2,
      }),
    () =>
      write(writing, 'POST /api/cmt/plugin/user/praise', known, 'is_praise', 1, { plugin_key, praise: 1 }),
    () => write(writing, 'POST /api/cmt/plugin/user', known, 'is_installed', true, { plugin_key }),
    () => handInAgain(writing, plugin_key),
    () =>
      write(writing, 'POST /api/cmt/plugin/audit/status', known, 'version', '1.1.0', {
        plugin_key,
        audit_status: 2,
      }),
    () =>
      write(writing, 'POST /api/cmt/plugin/user/praise', known, 'is_praise', -1, { plugin_key, praise: -1 }),
  ];
  for (const step of steps) if (!mayGoOn() || !(await step())) return;
}

async function write<Field extends keyof Known>(
  { person, ledger }: Writing,
  call: string,
  known: Known,
  field: Field,
  value: Known[Field] extends Set<infer Value> ? Value : never,
  body: Record<string, unknown>,
): Promise<boolean> {
  const [method = '', path = ''] = call.split(' ');
  const values: Set<unknown> = known[field];
  values.add(value);
  const answer = await attempt(ledger, () =>
    person.browser.call(path, { method, body: JSON.stringify(body), headers: newAddress() }),
  );
  if (answer) settled(values, value);
  return answer !== undefined;
}

async function handInAgain({ person, ledger }: Writing, plugin_key: string): Promise<boolean> {
  const form = formOf({
    plugin_key,
    version: '1.1.0',
    version_note: '{"en-US":"Second"}',
    code: newPackage(),
  });
  const answer = await attempt(ledger, () => person.submit('POST', '/api/cmt/plugin', form));
  if (answer) ledger.versions.push(`${plugin_key} 1.1.0`);
  return answer !== undefined;
}

/** The answer of an acknowledged write; undefined where none came, or that nothing could be done. */
async function attempt(ledger: Ledger, ask: () => Promise<Received>): Promise<Received | undefined> {
  const answer = await ask().catch(() => undefined);
  if (answer?.status === 200) {
    acknowledge(ledger);
    return answer;
  }
  ledger.unanswered += 1;
  await delay(PAUSE);
  if (answer && !AWAY.has(answer.status)) ledger.odd.push(`${answer.status} ${answer.text}`);
  return undefined;
}

function acknowledge(ledger: Ledger): void {
  ledger.acknowledged += 1;
  ledger.lastAt = performance.now();
}

function newPackage(): File {
  return jsonFile(packageText({}, `console.log(${randomInt(2 ** 40)});\n`));
}

/** A form with an icon, a picture and a video that no other plugin has. */
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
