import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { homeLanguage } from '../../../shared/deploy-types.ts';
import type { Protocol } from '../../../shared/entities/protocol.ts';
import { LANGUAGES, type Language, type Texts, textIn } from '../../../shared/languages.ts';
import { protocolRoutes } from '../../../shared/routes/protocol.ts';
import { errorCode, startError } from '../../database/start-error.ts';
import { everybody, implement } from '../../http/implement.ts';
import type { GatewayConfig } from '../options.ts';

const OWN_TEXTS = fileURLToPath(new URL('../../../locales/protocol', import.meta.url));
const BYTES_MAX = 256 * 1024;

/** The protocol page's text in a language, or in the one that comes nearest (`textIn`). */
export type ProtocolIn = (language: Language) => Promise<Protocol>;

declare module 'fastify' {
  interface FastifyInstance {
    protocolIn: ProtocolIn;
  }
}

/** The text of the protocol page, for those who come to it from another page. */
export const protocol = fp(
  async (app: FastifyInstance) => {
    const protocolIn = await readProtocolTexts(app.gateway.config);
    app.decorate('protocolIn', protocolIn);
    implement(app, everybody, protocolRoutes.readProtocol, ({ request, reply }) => {
      reply.header('cache-control', 'no-cache');
      return protocolIn(request.language);
    });
  },
  { name: 'protocol', dependencies: ['gateway', 'requests'] },
);

/**
 * Reads the texts of the protocol page: `{language}.md` of PROTOCOL_DIR, or our own.
 * @throws StartError when the folder or a file cannot be read, there is no text, or one is too long or no UTF-8
 */
export async function readProtocolTexts(
  config: Pick<GatewayConfig, 'deployType' | 'languages' | 'protocolDir'>,
): Promise<ProtocolIn> {
  const folder = config.protocolDir ?? OWN_TEXTS;
  await assertFolder(folder);
  const texts: Texts = {};
  for (const language of LANGUAGES) {
    const text = await readText(join(folder, `${language}.md`));
    if (text !== undefined) texts[language] = text;
  }
  if (Object.keys(texts).length === 0) throw startError(noText(folder));
  const home = homeLanguage(config.deployType, config.languages);
  const read = new Map<Language, Promise<Protocol>>();
  return (language) => {
    const { lang, text } = textIn(texts, language, home);
    const known = read.get(lang) ?? protocolOf(text, lang);
    read.set(lang, known);
    return known;
  };
}

/** What reads Markdown is loaded when the page is first asked for. */
async function protocolOf(text: string, lang: Language): Promise<Protocol> {
  const { titledBlocksOf } = await import('../../markdown/blocks.ts');
  return { lang, ...titledBlocksOf(text) };
}

async function assertFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: unknown) => errorCode(error) || 'unreadable');
  if (typeof found === 'string') throw startError(`PROTOCOL_DIR ${folder} cannot be read (${found}).`);
  if (!found.isDirectory()) throw startError(`PROTOCOL_DIR ${folder} is not a folder.`);
}

/** @returns undefined when there is no such file */
async function readText(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw startError(`${file} cannot be read (${errorCode(error)}).`, error);
  });
  if (!bytes) return undefined;
  if (bytes.length > BYTES_MAX) throw startError(`${file} is larger than ${BYTES_MAX / 1024} KiB.`);
  const text = decoded(bytes);
  if (text === undefined) throw startError(`${file} is not UTF-8.`);
  if (text.trim() === '') throw startError(`${file} is empty.`);
  return text;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function noText(folder: string): string {
  return `${folder} holds no text: name at least one ${LANGUAGES.map((language) => `${language}.md`).join(', ')}.`;
}
