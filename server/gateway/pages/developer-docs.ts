import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { DOCS_PATH } from '../../../shared/constants.ts';
import type { Protocol } from '../../../shared/entities/protocol.ts';
import type { TextBlock, TextRun } from '../../../shared/entities/text-blocks.ts';
import type { Language } from '../../../shared/languages.ts';
import { FINDING_CODES, isFindingCode } from '../../../shared/package/finding-codes.ts';
import { packageSchema } from '../../../shared/package/package-schema.ts';
import { developerDocsRoutes } from '../../../shared/routes/developer-docs.ts';
import { everybody, implement } from '../../http/implement.ts';

type Labels = Readonly<Record<'error' | 'warning' | 'notice' | 'wrong' | 'right' | 'colon', string>>;

/** The documentation for developers in a language. */
export type DeveloperDocsIn = (language: Language) => Promise<Protocol>;

declare module 'fastify' {
  interface FastifyInstance {
    developerDocsIn: DeveloperDocsIn;
  }
}

/** The documentation for developers, and its files: a package that passes every check, and the JSON Schema of one. */
export const developerDocs = fp(
  async (app: FastifyInstance) => {
    const { publicUrl } = app.gateway;
    const developerDocsIn = createDeveloperDocs(publicUrl);
    app.decorate('developerDocsIn', developerDocsIn);
    implement(app, everybody, developerDocsRoutes.readDeveloperDocs, ({ request, reply }) => {
      reply.header('cache-control', 'no-cache');
      return developerDocsIn(request.language);
    });
    const file = (name: string, type: string, content: () => Promise<string>): void => {
      app.get(DOCS_PATH + name, async (_request: FastifyRequest, reply: FastifyReply) =>
        reply
          .headers({
            'cache-control': 'public, max-age=3600',
            'content-disposition': `attachment; filename="${name}"`,
          })
          .type(`${type}; charset=utf-8`)
          .send(await content()),
      );
    };
    file('sample.json', 'application/json', () => textOf('docs/sample.json'));
    const schemaName = 'plugin-package.schema.json';
    const $id = new URL(DOCS_PATH + schemaName, publicUrl).href;
    file(schemaName, 'application/schema+json', async () =>
      JSON.stringify({ ...packageSchema(), $id }, null, 2),
    );
  },
  { name: 'developer-docs', dependencies: ['gateway', 'requests'] },
);

const LOCALES = new URL('../../../locales/', import.meta.url);
const textOf = (path: string): Promise<string> => readFile(new URL(path, LOCALES), 'utf8');

/**
 * Reads a language when it is first asked for: `locales/docs/{language}.md`, with what the checks say and examples.
 * `{origin}` in it stands for the site's own.
 */
export function createDeveloperDocs({ origin }: { origin: string }): DeveloperDocsIn {
  const read = new Map<Language, Promise<Protocol>>();
  return (language) => {
    const known = read.get(language) ?? readDocs(language, origin);
    read.set(language, known);
    return known;
  };
}

async function readDocs(lang: Language, origin: string): Promise<Protocol> {
  const { titledBlocksOf } = await import('../../markdown/blocks.ts');
  const labels: Record<Language, Labels> = JSON.parse(await textOf('docs/labels.json'));
  const { finding }: { finding: Record<string, unknown> } = JSON.parse(await textOf(`${lang}.json`));
  const examples = examplesIn(titledBlocksOf(await textOf('docs/examples.md')).blocks);
  const { title, blocks } = titledBlocksOf((await textOf(`docs/${lang}.md`)).replaceAll('{origin}', origin));
  return { lang, title, blocks: withFindings(blocks, labels[lang], finding, examples) };
}

type Examples = ReadonlyMap<string, readonly string[]>;
const headingOf = (block: TextBlock): string | undefined =>
  block.kind === 'heading' ? block.runs.map(({ text }) => text).join('') : undefined;

/** Below a heading that begins with a finding's code: what is wrong, then what is right, where that can be shown. */
function examplesIn(blocks: readonly TextBlock[]): Examples {
  const examples = new Map<string, string[]>();
  let code = '';
  for (const block of blocks) {
    code = headingOf(block)?.split(' ')[0] ?? code;
    if (block.kind === 'code') examples.set(code, [...(examples.get(code) ?? []), block.text]);
  }
  return examples;
}

/** Below a heading that is a finding's code: its message, then what the text says, then its example. */
function withFindings(
  blocks: readonly TextBlock[],
  labels: Labels,
  messages: Readonly<Record<string, unknown>>,
  examples: Examples,
): TextBlock[] {
  let example: TextBlock[] = [];
  const shown = blocks.flatMap((block) => {
    const code = headingOf(block);
    if (code === undefined) return [block];
    const before = example;
    example = (examples.get(code) ?? []).flatMap((text, index): TextBlock[] => [
      { kind: 'paragraph', runs: [{ text: index === 0 ? labels.wrong : labels.right }] },
      { kind: 'code', text },
    ]);
    if (!isFindingCode(code)) return [...before, block];
    const severity = labels[FINDING_CODES[code].severity] + labels.colon;
    const runs = [{ text: severity, strong: true as const }, ...messageRuns(String(messages[code]))];
    return [...before, { ...block, id: `finding-${code}` }, { kind: 'paragraph' as const, runs }];
  });
  return [...shown, ...example];
}

/** A message with the names of the values that only a check can tell. */
function messageRuns(message: string): TextRun[] {
  return message
    .split(/\{(\w+)\}/)
    .map((text, index): TextRun => (index % 2 === 0 ? { text, strong: true } : { text, code: true }))
    .filter(({ text }) => text !== '');
}
