import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { DOCS_PATH } from '../../../shared/constants.ts';
import type { Protocol, TextBlock, TextRun } from '../../../shared/entities/text-blocks.ts';
import type { Language } from '../../../shared/languages.ts';
import { FINDING_CODES, isFindingCode } from '../../../shared/package/finding-codes.ts';
import { packageSchema } from '../../../shared/package/package-schema.ts';
import { docsRoutes } from '../../../shared/routes/docs.ts';
import { everybody, implement } from '../../http/implement.ts';

declare module 'fastify' {
  interface FastifyInstance {
    developerDocsIn: ReturnType<typeof createDeveloperDocs>;
  }
}

const SCHEMA = 'plugin-package.schema.json';

/** The documentation for developers, and its files: a package that passes every check, and the JSON Schema of one. */
export const developerDocs = fp(
  async (app: FastifyInstance) => {
    const { publicUrl } = app.gateway;
    const developerDocsIn = createDeveloperDocs(publicUrl);
    app.decorate('developerDocsIn', developerDocsIn);
    implement(app, everybody, docsRoutes.readDeveloperDocs, ({ request, reply }) => {
      reply.header('cache-control', 'no-cache');
      return developerDocsIn(request.language);
    });
    const $id = new URL(DOCS_PATH + SCHEMA, publicUrl).href;
    const files: [name: string, type: string, content: () => Promise<string>][] = [
      ['sample.json', 'application/json', () => textOf('docs/sample.json')],
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
  { name: 'developer-docs', dependencies: ['gateway', 'requests'] },
);

const LOCALES = new URL('../../../locales/', import.meta.url);
const textOf = (path: string): Promise<string> => readFile(new URL(path, LOCALES), 'utf8');

/**
 * Reads a language when it is first asked for: `locales/docs/{language}.md`, with what the checks say and examples.
 * `{origin}` in it stands for the site's own.
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

/** Blocks in groups, each but the first beginning with a heading. */
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

/** Below a heading that is a finding's code: its message, then what the text says, then what is wrong and what is right. */
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
  // Values that only a check can tell stand by their names.
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
