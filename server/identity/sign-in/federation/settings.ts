import type { FastifyBaseLogger } from 'fastify';
import { Value } from 'typebox/value';
import { type DeployType, isPrivate, type SignUp } from '../../../../shared/deploy-types.ts';
import { startError } from '../../../database/errors.ts';
import { checkCredentials } from './secrets.ts';
import { METHOD_SCHEMAS, type MethodSettings } from './settings-schema.ts';

/** Without IDENTITY_METHODS a deployment has local accounts only. */
export const DEFAULT_METHODS: readonly MethodSettings[] = [{ method: 'local' }];

/**
 * The sign-in methods of a deployment, from IDENTITY_METHODS: a JSON array with one block per method.
 * @throws StartError with the block and the problem
 */
export function readMethodSettings(text: string | undefined): readonly MethodSettings[] {
  if (text === undefined) return DEFAULT_METHODS;
  const blocks = parsed(text);
  if (!Array.isArray(blocks) || blocks.length === 0) {
    throw startError('IDENTITY_METHODS must be a JSON array with one block for each method.');
  }
  const settings = blocks.map((block, index) => readBlock(block, index + 1));
  const sources = settings.map(sourceOf);
  const twice = sources.find((source, index) => sources.indexOf(source) !== index);
  if (twice !== undefined) {
    throw startError(`IDENTITY_METHODS has two blocks called "${twice}": give each a "source" of its own.`);
  }
  return settings;
}

/** Who may create a local account: as SIGN_UP says, and nobody without local accounts. */
export function signUpOf(methods: readonly MethodSettings[], configured: SignUp): SignUp {
  const local = methods.find((block) => block.method === 'local');
  if (!local) return 'closed';
  return configured === 'open' && local.sign_up === false ? 'invited' : configured;
}

/** Names the blocks whose sign-out at the provider nobody uses, because only private sites do (R 8.14). */
export function warnOfUnusedSignOut(
  methods: readonly MethodSettings[],
  deployType: DeployType,
  log: Pick<FastifyBaseLogger, 'warn'>,
): void {
  if (isPrivate(deployType)) return;
  const sources = methods.filter(hasOwnSignOut).map(sourceOf);
  if (sources.length > 0)
    log.warn(
      { sources },
      'provider_logout and logout_mode 1 have no effect: only private sites (DEPLOY_TYPE) sign out there',
    );
}

function hasOwnSignOut(settings: MethodSettings): boolean {
  return endsAtProvider(settings) || ('logout_mode' in settings && settings.logout_mode === 1);
}

function endsAtProvider(settings: MethodSettings): boolean {
  return settings.method === 'oidc' && settings.provider_logout === true;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw startError('IDENTITY_METHODS is not valid JSON.', error);
  }
}

function readBlock(block: unknown, place: number): MethodSettings {
  const method = String(Object(block).method);
  const schema = Object.entries(METHOD_SCHEMAS).find(([name]) => name === method)?.[1];
  if (!schema) {
    const names = Object.keys(METHOD_SCHEMAS).join(', ');
    throw startError(`IDENTITY_METHODS, block ${place}: "method" must be one of ${names}.`);
  }
  if (Value.Check(schema, block)) {
    const name = `IDENTITY_METHODS, block ${place} (${method})`;
    if ('client_id' in block) checkCredentials(block, name);
    if (hasOwnSignOut(block) && !endsAtProvider(block) && !('logout_url' in block))
      throw startError(`${name}: logout_mode 1 needs a logout_url.`);
    return block;
  }
  const [first] = Value.Errors(schema, block);
  const where = first?.instancePath || '/';
  throw startError(
    `IDENTITY_METHODS, block ${place} (${method}): ${where} ${first?.message ?? 'is not valid'}.`,
  );
}

/** Id of a block in addresses and in the database. */
export function sourceOf(settings: MethodSettings): string {
  const own = 'source' in settings ? settings.source : undefined;
  return own ?? settings.method.replace('_', '-');
}
