import { totalmem } from 'node:os';
import { constrainedMemory } from 'node:process';

const MIB = 2 ** 20;
/** Share of the memory, and bounds, in MiB. The other services and the file cache of the system live beside it. */
const SHARE = 1 / 16;
const LEAST = 32;
const MOST = 1024;

/**
 * How much the server may keep of its tables, as PostgreSQL writes it. Memory is taken as pages are first read, so a
 * small catalogue takes no more than its own size.
 * @param memory bytes that this program may use; a container's limit counts
 */
export function sharedBuffers(memory = usableMemory()): string {
  return `${Math.min(MOST, Math.max(LEAST, Math.floor((memory * SHARE) / MIB)))}MB`;
}

/** Where nothing limits the program, its limit is told as 0 or as more than there is. */
function usableMemory(): number {
  const limit = constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
