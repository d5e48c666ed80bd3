import { isUtf8 } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { DOCS_PATH } from '../../../shared/constants.ts';
import { homeLanguage } from '../../../shared/deploy-types.ts';
import type { Protocol, TextBlock, TextRun } from '../../../shared/entities/text-blocks.ts';
import { LANGUAGES, type Language, type Texts, textIn } from '../../../shared/languages.ts';
import { FINDING_CODES, isFindingCode } from '../../../shared/package/finding-codes.ts';
import { packageSchema } from '../../../shared/package/package-schema.ts';
import { docsRoutes } from '../../../shared/routes/docs.ts';
import { errorCode, startError } from '../../database/errors.ts';
import { implement } from '../../http/implement.ts';
import type { GatewayConfig } from '../options.ts';

const OWN_TEXTS = fileURLToPath(new URL('../../../locales/protocol', import.meta.url));
const BYTES_MAX = 256 * 1024;

declare module 'fastify' {
  interface FastifyInstance {
    protocolIn: Awaited<ReturnType<typeof readProtocolTexts>>;
    developerDocsIn: ReturnType<typeof createDeveloperDocs>;
  }
}

const SCHEMA = 'plugin-package.schema.json';

/** The protocol and the developer documentation, with a valid sample package and the JSON Schema of packages. */
export const documents = fp(
  async (app: FastifyInstance) => {
    const { config, publicUrl } = app.gateway;
    const protocolIn = await readProtocolTexts(config);
    const developerDocsIn = createDeveloperDocs(publicUrl);
    app.decorate('protocolIn', protocolIn).decorate('developerDocsIn', developerDocsIn);
    implement(app, docsRoutes.readProtocol, ({ request, reply }) => {
      reply.header('cache-control', 'no-cache');
      return protocolIn(request.language);
    });
    implement(app, docsRoutes.readDeveloperDocs, ({ request, reply }) => {
      reply.header('cache-control', 'no-cache');
      return developerDocsIn(request.language);
    });
    const $id = new URL(DOCS_PATH + SCHEMA, publicUrl).href;
    const files: [name: string, type: string, content: () => Promise<string>][] = [
      ['sample.json', 'application/json', () => textOf('docs/sample.json')],
      ['hello-world.json', 'application/json', () => textOf('docs/hello-world.json')],
      [SCHEMA, 'application/schema+json', async () => JSON.stringify({ ...packageSchema(), $id }, null, 2)],
    ];
    for (const [name, type, content] of files) {
      const headers = {
        'cache-control': 'public, max-age=3600',
        'content-disposition': `attachment; filename="${name}"`,
        'content-type': `${type}; charset=utf-8`,
      };
      app.get(DOCS_PATH + name, async (_request, reply) => reply.headers(headers).send(await content()));
    }
  },
  { name: 'documents', dependencies: ['gateway', 'requests'] },
);

/**
 * Reads the protocol texts: `{language}.md` in PROTOCOL_DIR, or our own. The returned function returns the text of a
 * language, or of its best replacement (`textIn`).
 * @throws StartError if the folder or a file cannot be read, there is no text, or one is too long or not UTF-8
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

/** The Markdown parser is loaded on the first request of the page. */
async function protocolOf(text: string, lang: Language): Promise<Protocol> {
  const { titledBlocksOf } = await import('../../markdown/blocks.ts');
  return { lang, ...titledBlocksOf(text) };
}

const LOCALES = new URL('../../../locales/', import.meta.url);
const textOf = (path: string): Promise<string> => readFile(new URL(path, LOCALES), 'utf8');

/**
 * The developer documentation of a language, loaded on first use: `locales/docs/{language}.md` with the messages of the
 * checks and examples. `{origin}` is replaced by the site's origin.
 */
export function createDeveloperDocs({
  origin,
}: {
  origin: string;
}): (language: Language) => Promise<Protocol> {
  const read = new Map<Language, Promise<Protocol>>();
  return (language) => {
    const docs = read.get(language) ?? readDocs(language, origin);
    read.set(language, docs);
    return docs;
  };
}

type Labels = Readonly<Record<'error' | 'warning' | 'notice' | 'wrong' | 'right' | 'colon', string>>;

async function readDocs(lang: Language, origin: string): Promise<Protocol> {
  const { titledBlocksOf } = await import('../../markdown/blocks.ts');
  const labels: Record<Language, Labels> = JSON.parse(await textOf('docs/labels.json'));
  const { finding }: { finding: Record<string, string> } = JSON.parse(await textOf(`${lang}.json`));
  const examples = new Map(
    sectionsOf(titledBlocksOf(await textOf('docs/examples.md')).blocks).map((blocks) => [
      codeOf(blocks),
      blocks,
    ]),
  );
  const { title, blocks } = titledBlocksOf((await textOf(`docs/${lang}.md`)).replaceAll('{origin}', origin));
  const shown = sectionsOf(blocks).flatMap((section) =>
    withFinding(section, labels[lang], finding, examples.get(codeOf(section)) ?? []),
  );
  return { lang, title, blocks: shown };
}

/** Groups blocks into sections; each but the first starts with a heading. */
function sectionsOf(blocks: readonly TextBlock[]): TextBlock[][] {
  const sections: TextBlock[][] = [[]];
  for (const block of blocks) {
    if (block.kind === 'heading') sections.push([]);
    sections.at(-1)?.push(block);
  }
  return sections;
}

/** The first word of a section's heading. */
function codeOf([heading]: readonly TextBlock[]): string {
  const text = heading?.kind === 'heading' ? heading.runs.map(({ text }) => text).join('') : '';
  return text.split(' ')[0] ?? '';
}

/** Adds message, wrong example and right example to a section whose heading is a finding code. */
function withFinding(
  [heading, ...text]: readonly TextBlock[],
  labels: Labels,
  messages: Readonly<Record<string, string>>,
  examples: readonly TextBlock[],
): TextBlock[] {
  if (!heading) return [];
  const code = codeOf([heading]);
  if (heading.kind !== 'heading' || !isFindingCode(code)) return [heading, ...text];
  const severity = labels[FINDING_CODES[code].severity] + labels.colon;
  // Placeholders are shown by name.
  const message = (messages[code] ?? '')
    .split(/\{(\w+)\}/)
    .map((text, index): TextRun => (index % 2 === 0 ? { text, strong: true } : { text, code: true }))
    .filter(({ text }) => text !== '');
  const shown = examples
    .filter(({ kind }) => kind === 'code')
    .flatMap((example, index) => [paragraph([{ text: index === 0 ? labels.wrong : labels.right }]), example]);
  return [
    { ...heading, id: `finding-${code}` },
    paragraph([{ text: severity, strong: true }, ...message]),
    ...text,
    ...shown,
  ];
}

function paragraph(runs: TextRun[]): TextBlock {
  return { kind: 'paragraph', runs };
}
