import { isUtf8 } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { homeLanguage } from '../../../shared/deploy-types.ts';
import type { Protocol } from '../../../shared/entities/text-blocks.ts';
import { LANGUAGES, type Language, type Texts, textIn } from '../../../shared/languages.ts';
import { docsRoutes } from '../../../shared/routes/docs.ts';
import { errorCode, startError } from '../../database/errors.ts';
import { everybody, implement } from '../../http/implement.ts';
import type { GatewayConfig } from '../options.ts';

const OWN_TEXTS = fileURLToPath(new URL('../../../locales/protocol', import.meta.url));
const BYTES_MAX = 256 * 1024;

declare module 'fastify' {
  interface FastifyInstance {
    protocolIn: Awaited<ReturnType<typeof readProtocolTexts>>;
  }
}

/** The text of the protocol page, for those who come to it from another page. */
export const protocol = fp(
  async (app: FastifyInstance) => {
    const protocolIn = await readProtocolTexts(app.gateway.config);
    app.decorate('protocolIn', protocolIn);
    implement(app, everybody, docsRoutes.readProtocol, ({ request, reply }) => {
      reply.header('cache-control', 'no-cache');
      return protocolIn(request.language);
    });
  },
  { name: 'protocol', dependencies: ['gateway', 'requests'] },
);

/**
 * Reads the texts of the protocol page: `{language}.md` of PROTOCOL_DIR, or our own. What it returns gives a language's,
 * or that of the one that comes nearest (`textIn`).
 * @throws StartError when the folder or a file cannot be read, there is no text, or one is too long or no UTF-8
 */
export async function readProtocolTexts({
  deployType,
  languages,
  protocolDir: folder = OWN_TEXTS,
}: Pick<GatewayConfig, 'deployType' | 'languages' | 'protocolDir'>): Promise<
  (language: Language) => Promise<Protocol>
> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw startError(`PROTOCOL_DIR ${folder} cannot be read (${errorCode(error)}).`, error);
  });
  const texts: Texts = {};
  for (const language of LANGUAGES) {
    if (names.includes(`${language}.md`)) texts[language] = await readText(join(folder, `${language}.md`));
  }
  if (Object.keys(texts).length === 0) {
    const expected = LANGUAGES.map((language) => `${language}.md`).join(', ');
    throw startError(`${folder} holds no text: name at least one ${expected}.`);
  }
  const home = homeLanguage(deployType, languages);
  const read = new Map<Language, Promise<Protocol>>();
  return (language) => {
    const { lang, text } = textIn(texts, language, home);
    const protocol = read.get(lang) ?? protocolOf(text, lang);
    read.set(lang, protocol);
    return protocol;
  };
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw startError(`${file} cannot be read (${errorCode(error)}).`, error);
  });
  if (bytes.length > BYTES_MAX) throw startError(`${file} is larger than ${BYTES_MAX / 1024} KiB.`);
  if (!isUtf8(bytes)) throw startError(`${file} is not UTF-8.`);
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === '') throw startError(`${file} is empty.`);
  return text;
}

/** What reads Markdown is loaded when the page is first asked for. */
async function protocolOf(text: string, lang: Language): Promise<Protocol> {
  const { titledBlocksOf } = await import('../../markdown/blocks.ts');
  return { lang, ...titledBlocksOf(text) };
}
