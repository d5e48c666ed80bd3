import { readFileSync } from 'node:fs';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { startError } from '../../database/errors.ts';
import { METHOD_SCHEMAS, type Secret } from './settings-schemas.ts';

type Schemas = typeof METHOD_SCHEMAS;
export type MethodSettings = { [N in keyof Schemas]: Static<Schemas[N]> }[keyof Schemas];

/** Without IDENTITY_METHODS a deployment has its own accounts. */
export const DEFAULT_METHODS: readonly MethodSettings[] = [{ method: 'local' }];

/**
 * The sign-in methods of a deployment, from the text of IDENTITY_METHODS: a JSON array with one block for each.
 * @throws StartError that names the block and what is wrong with it
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
  if (Value.Check(schema, block)) return block;
  const [first] = Value.Errors(schema, block);
  const where = first?.instancePath || '/';
  throw startError(
    `IDENTITY_METHODS, block ${place} (${method}): ${where} ${first?.message ?? 'is not valid'}.`,
  );
}

/** How a block is called in addresses, and in what is stored of who signed in by it. */
export function sourceOf(settings: MethodSettings): string {
  const own = 'source' in settings ? settings.source : undefined;
  return own ?? settings.method.replace('_', '-');
}

/** The secret itself. @throws StartError when its file cannot be read */
export function secretText(secret: Secret): string {
  if (typeof secret === 'string') return secret;
  try {
    return readFileSync(secret.file, 'utf8').trim();
  } catch (error) {
    throw startError(`IDENTITY_METHODS names a file that cannot be read: ${secret.file}.`, error);
  }
}
