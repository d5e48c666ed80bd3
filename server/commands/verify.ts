/** `npm run verify -- SITE|BUNDLE|FOLDER`: says what was changed, removed or reordered since it was approved. */
import { parseArgs } from 'node:util';
import type { LogHead } from '../../shared/entities/transparency.ts';
import { startError } from '../database/errors.ts';
import { createOutgoingFetch } from '../http/outgoing.ts';
import { runProgram } from './program.ts';
import { verify } from './verify/verify.ts';

const USAGE = `Usage:
  npm run verify -- SITE [--keys FILE] [--seen HEAD]
  npm run verify -- BUNDLE [--trust=PUBLIC_KEY] [--keys FILE] [--seen HEAD]
  npm run verify -- FOLDER --log SITE|BUNDLE [--keys FILE] [--seen HEAD]`;

function parseCommand(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { log: text, keys: text, trust: text, seen: text },
    });
  } catch (error) {
    throw startError(USAGE, error);
  }
}

/** A head as the last line of an earlier call names it. */
function parseHead(text: string): LogHead {
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (sequence === undefined || hash === undefined) throw startError(USAGE);
  return { sequence: Number(sequence), hash };
}

/** Milliseconds for one answer. */
const TIMEOUT = 30_000;

await runProgram(async ({ config, say }, args) => {
  const { positionals, values } = parseCommand(args);
  const [target, ...rest] = positionals;
  if (target === undefined || rest.length > 0) throw startError(USAGE);
  const { seen, ...options } = values;
  const { head, packages, problems } = await verify({
    ask: createOutgoingFetch({ ca: config.upstreams.ca, timeout: TIMEOUT }),
    target,
    ...options,
    ...(seen !== undefined && { seen: parseHead(seen) }),
  });
  for (const problem of problems) say(problem);
  if (problems.length > 0) throw startError(`${target} is not as it was approved.`);
  say(`${head.sequence} entries and ${packages} packages are as they were approved.`);
  say(`Keep the head for the next time: --seen ${head.sequence}:${head.hash}`);
});
