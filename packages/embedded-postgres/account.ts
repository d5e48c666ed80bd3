import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { startError } from './errors.ts';

/** A user of the operating system. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

const SERVER_ACCOUNTS = ['postgres', 'nobody'];

/**
 * The user of this process.
 *
 * @throws start error when the user id has no name, because PostgreSQL does not run as such a user
 */
export function currentAccount(): Account {
  try {
    const { username, uid, gid } = userInfo();
    return { name: username, uid, gid };
  } catch (error) {
    throw startError(
      `The user id ${process.getuid?.()} has no name on this system, and PostgreSQL does not run without one. ` +
        'Set DATABASE_URL to use a PostgreSQL of your own.',
      error,
    );
  }
}

/**
 * The user of the database server when root starts it: `postgres` if it exists, else `nobody`. No user is added to the
 * system.
 *
 * @throws start error when neither exists
 */
export function serverAccount(): Account {
  for (const name of SERVER_ACCOUNTS) {
    const [uid, gid] = [numericId('-u', name), numericId('-g', name)];
    if (uid && gid) return { name, uid, gid };
  }
  throw startError(
    'PostgreSQL does not run as root, and this system has neither a user "postgres" nor "nobody". ' +
      'Start the program as another user, or set DATABASE_URL to use a PostgreSQL of your own.',
  );
}

function numericId(flag: '-u' | '-g', name: string): number | undefined {
  try {
    return Number(
      execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return undefined;
  }
}
