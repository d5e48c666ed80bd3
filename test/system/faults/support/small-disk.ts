import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The part of a tap test that is used here. */
interface Teardown {
  teardown(handler: () => Promise<void>): void;
}

/** A disk of the given size in kilobytes, or undefined where this user may mount none, not even by sudo without a password. */
export async function smallDisk(t: Teardown, kilobytes: number): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'small-disk-'));
  const { uid, gid } = userInfo();
  const options = `size=${kilobytes}k,mode=0755,uid=${uid},gid=${gid}`;
  const isMounted = await asRoot('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder).then(
    () => true,
    () => false,
  );
  t.teardown(async () => {
    if (isMounted) await asRoot('umount', folder);
    await rm(folder, { recursive: true, force: true });
  });
  return isMounted ? folder : undefined;
}

function asRoot(...command: readonly [string, ...string[]]): Promise<unknown> {
  const [program, ...args] = userInfo().uid === 0 ? command : ['sudo', '-n', ...command];
  return run(program, args);
}
