import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { DOCS_PATH } from '../../../../shared/constants.ts';
import type { Protocol } from '../../../../shared/entities/protocol.ts';
import type { TextBlock, TextRun } from '../../../../shared/entities/text-blocks.ts';
import type { Language } from '../../../../shared/languages.ts';
import { FINDING_CODES, isFindingCode } from '../../../../shared/package/finding-codes.ts';
import { packageSchema } from '../../../../shared/package/package-schema.ts';
import { developerDocsRoutes } from '../../../../shared/routes/developer-docs.ts';
import { everybody, implement } from '../../../http/implement.ts';
import type { Example } from './examples.ts';

type Labels = Readonly<Record<'error' | 'warning' | 'notice' | 'wrong' | 'right' | 'colon', string>>;
type Messages = { finding: Readonly<Record<string, unknown>> };
type Words = { labels: Labels; messages: Messages['finding'] };

/** The documentation for developers in a language. */
export type DeveloperDocsIn = (language: Language) => Promise<Protocol>;

declare module 'fastify' {
  interface FastifyInstance {
    developerDocsIn: DeveloperDocsIn;
  }
}

const SAMPLE = new URL('sample.json', import.meta.url);

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
    file('sample.json', 'application/json', () => readFile(SAMPLE, 'utf8'));
    const schemaName = 'plugin-package.schema.json';
    const $id = new URL(DOCS_PATH + schemaName, publicUrl).href;
    file(schemaName, 'application/schema+json', async () =>
      JSON.stringify({ ...packageSchema(), $id }, null, 2),
    );
  },
  { name: 'developer-docs', dependencies: ['gateway', 'language'] },
);

const LOCALES = new URL('../../../../locales/', import.meta.url);
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
  const { titledBlocksOf } = await import('../../../markdown/blocks.ts');
  const { EXAMPLES } = await import('./examples.ts');
  const labels: Record<Language, Labels> = JSON.parse(await textOf('docs/labels.json'));
  const { finding }: Messages = JSON.parse(await textOf(`${lang}.json`));
  const { title, blocks } = titledBlocksOf((await textOf(`docs/${lang}.md`)).replaceAll('{origin}', origin));
  const words = { labels: labels[lang], messages: finding };
  return { lang, title, blocks: withFindings(blocks, words, EXAMPLES) };
}

/** Below a heading that is a finding's code: its message, then what the text says, then its example. */
function withFindings(
  blocks: readonly TextBlock[],
  words: Words,
  examples: Readonly<Record<string, Example | undefined>>,
): TextBlock[] {
  let example: TextBlock[] = [];
  const shown = blocks.flatMap((block) => {
    if (block.kind !== 'heading') return [block];
    const before = example;
    const code = block.runs.map(({ text }) => text).join('');
    const found = examples[code];
    example = found ? exampleBlocks(found, words.labels) : [];
    if (!isFindingCode(code)) return [...before, block];
    const { labels, messages } = words;
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

function exampleBlocks({ wrong, right }: Example, labels: Labels): TextBlock[] {
  const part = (label: string, text: string): TextBlock[] => [
    { kind: 'paragraph', runs: [{ text: label }] },
    { kind: 'code', text },
  ];
  return [...part(labels.wrong, wrong), ...(right === undefined ? [] : part(labels.right, right))];
}
