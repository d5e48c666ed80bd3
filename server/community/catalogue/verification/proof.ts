import { NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { PROOF_PATH, PROOF_PREFIX, PROOF_RECORD } from '../../../../shared/constants.ts';
import type { ProofResult } from '../../../../shared/entities/verification.ts';
import { readPublicText } from '../../../http/public-host.ts';

/** What a domain says in both places. */
export type Proof = { dns: ProofResult; well_known: ProofResult };
/** Looks for a token at a domain; it does not throw. */
export type Prove = (domain: string, token: string) => Promise<Proof>;

/** Milliseconds for a question to a name server, and questions to each. */
const RESOLVER = { timeout: 2500, tries: 2 } as const;
/** Error codes of a name server that has answered: there is no such record. */
const ABSENT: ReadonlySet<unknown> = new Set([NODATA, NOTFOUND]);
/** What tokens look like: nothing else of what a host says is shown to anybody. */
const TOKEN = /^[0-9a-f]{32}$/;

/**
 * @param options.resolver address of the name server to ask; by default those of the system
 * @param options.readText gets a text of a host over https
 */
export function createProve({
  resolver,
  readText = readPublicText,
}: {
  resolver?: string | undefined;
  readText?: typeof readPublicText;
}): Prove {
  return async (domain, token) => {
    const [dns, well_known] = await Promise.all([
      askDns(domain, token, resolver),
      askHost(domain, token, readText),
    ]);
    return { dns, well_known };
  };
}

async function askDns(domain: string, token: string, server: string | undefined): Promise<ProofResult> {
  const resolver = new Resolver(RESOLVER);
  if (server !== undefined) resolver.setServers([server]);
  try {
    const records = await resolver.resolveTxt(`${PROOF_RECORD}.${domain}`);
    return resultOf(
      records.map((parts) => parts.join('')),
      token,
    );
  } catch (error) {
    return { result: ABSENT.has(Object(error).code) ? 'missing' : 'unreachable' };
  }
}

const GONE: ReadonlySet<number> = new Set([404, 410]);

async function askHost(domain: string, token: string, readText: typeof readPublicText): Promise<ProofResult> {
  try {
    const { status, text } = await readText(domain, PROOF_PATH);
    if (status === 200) return resultOf(text.split('\n'), token);
    if (status >= 300 && status < 400) return { result: 'redirected' };
    return { result: GONE.has(status) ? 'missing' : 'unreachable' };
  } catch {
    return { result: 'unreachable' };
  }
}

function resultOf(lines: readonly string[], token: string): ProofResult {
  const tokens = lines
    .map((line) => line.trim().replace(PROOF_PREFIX, ''))
    .filter((text) => TOKEN.test(text));
  if (tokens.includes(token)) return { result: 'proved' };
  const [found] = tokens;
  return found === undefined ? { result: 'missing' } : { result: 'other_token', found };
}
