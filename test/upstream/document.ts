/**
 * Writes docs/upstreams.md from the contract: `node test/upstream/document.ts`. test/upstream/document.test.ts fails where
 * the file says something else.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Picture, PluginCard, PluginVersion, Tag } from '../../shared/entities/plugin.ts';
import { ActiveSlot, Banner, FeaturedWork, QrCode, ResourceSlot } from '../../shared/entities/site.ts';
import { PublicUser } from '../../shared/entities/user.ts';
import { shapeOf } from '../../shared/shape.ts';
import { isOfLists, type Shape } from '../../shared/tolerant.ts';
import { isNamed, isRead, type UpstreamCall, upstreamCalls } from './calls.ts';
import { wordFor } from './compare.ts';

export const DOCUMENT = fileURLToPath(new URL('../../docs/upstreams.md', import.meta.url));

/** What several calls answer, told once. */
const THINGS: readonly (readonly [name: string, shape: Shape])[] = [
  ['Plugin card', shapeOf(PluginCard)],
  ['Picture', shapeOf(Picture)],
  ['Tag', shapeOf(Tag)],
  ['User', shapeOf(PublicUser)],
  ['Version', shapeOf(PluginVersion)],
  ['Banner', shapeOf(Banner)],
  ['Resource slot', shapeOf(ResourceSlot)],
  ['Featured plugin', shapeOf(ActiveSlot)],
  ['Featured work', shapeOf(FeaturedWork)],
  ['QR code', shapeOf(QrCode)],
];

const WHO = { all: 'everybody', user: 'users', publisher: 'publishers', admin: 'administrators' } as const;

const HEAD = `# What a community service answers

A private deployment puts the gateway before a community service that is there already (\`COMMUNITY_URL\`). This page says
what the gateway and its pages read of its answers. It is written from the contract by \`node test/upstream/document.ts\`,
and a test fails where it is not true any more.

\`npm run conformance:upstream -- --base-url https://community.example\` says what such a service lacks, call by call;
\`-- --help\` tells how. It reads as a visitor does; \`--token\` adds what a user reads, and nothing is changed without
\`--changes\`.

## Envelope

An answer is JSON: \`{ "code": 0, "data": … }\`, sent with HTTP status 200. \`code\` 0 or 200 is success, as a number or as
text, with \`data\` present; calls that change something need not tell any. Anything else is a failure:

- HTTP status 401, or \`code\` 401: the user is led to sign-in.
- A numeric \`code\` is kept, and \`message\` is shown to people, as text and up to 200 characters. With HTTP status 200 a
  \`code\` from 400 to 599 counts as the status.
- Status 404 on a call of our own additions: the part of the page that it belongs to is not shown.

## How answers are read

- A field that is not required and is missing, \`null\` or of another type gets what stands in for it. Fields that are not
  named here are left alone.
- Numbers may be text, texts may be numbers, flags may be 0 and 1, moments may be seconds or milliseconds since 1970.
- An entry of a list that lacks a required field is left out; the gateway logs how many, once.
- An answer without what is required, or a list of which no entry can be used, is an error of the part of the page that
  shows it, which offers to try again. The page stands.
- Where an answer has one list, \`data\` may be the list itself.
- Users come with \`Authorization: Bearer\`, the access token of the user service. Languages are asked for by
  \`Accept-Language\`: a text whose \`lang\` is missing counts as written in that one.
`;

/** The whole document. */
export function upstreamDocument(): string {
  const calls = upstreamCalls();
  const named = calls.filter(isNamed);
  const read = calls.filter((call) => !isNamed(call) && isRead(call));
  const others = calls.filter((call) => !named.includes(call) && !read.includes(call));
  return [
    HEAD,
    '## Things that several calls answer\n',
    ...THINGS.map(([name, shape]) => `### ${name}\n\n${tableOf(shape, name)}`),
    '## Calls\n\nWithout one of these a part of the site does not work.\n',
    ...named.map(sectionOf),
    '## Additions that pages read\n\nWithout one of these, what it shows is not there.\n',
    ...read.map(sectionOf),
    '## Further additions\n\nWithout one of these, what leads to it says that it does not work.\n',
    `${others.map(({ route }) => `- \`${route.method} ${route.path}\`: ${route.summary}`).join('\n')}\n`,
  ].join('\n');
}

function sectionOf({ route }: UpstreamCall): string {
  const { method, path, access, summary, successCode, multipart, data, file } = route;
  const inputs = [
    ['Path', route.params?.properties],
    ['Query', route.query?.properties],
    [multipart ? 'Form' : 'Body', propertiesOf(route.body)],
  ].flatMap(([kind, properties]) =>
    properties && Object.keys(properties).length > 0
      ? [
          `${kind}: ${Object.keys(properties)
            .map((name) => `\`${name}\``)
            .join(', ')}.`,
        ]
      : [],
  );
  const about = [`${summary}. For ${WHO[access]}.`, ...inputs];
  if (successCode !== undefined) about.push(`Success is \`code\` ${successCode} alone.`);
  if (file) about.push('Answers a file.');
  else if (method !== 'GET') about.push('Its answer need not tell anything.');
  return `### ${method} ${path}\n\n${about.join(' ')}\n${data ? `\n${tableOf(shapeOf(data))}` : ''}`;
}

/** A record passes as it is: its fields are the service's own. */
function propertiesOf(body: UpstreamCall['route']['body']): object | undefined {
  return body && 'properties' in body ? Object(body.properties) : undefined;
}

function tableOf(shape: Shape, self?: string): string {
  const rows = rowsOf(shape, '', self, true);
  if (rows.length === 0) return 'Nothing of `data` is read.\n';
  const head = '| Field | What | Required | What stands in |\n| --- | --- | --- | --- |';
  return `${head}\n${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

function rowsOf(shape: Shape, place: string, self: string | undefined, isTop = false): string[][] {
  const inner = shape.as === 'list' || shape.as === 'map' ? shape.of : shape;
  if (thingOf(inner, self) !== undefined && place !== '') return [];
  const within = inner === shape ? place : `${place}[]`;
  if (inner.as === 'either') return inner.of.flatMap((form) => rowsOf(form, within, self));
  if (inner.as !== 'fields') return inner === shape ? [] : rowsOf(inner, `${place}[]`, self);
  return Object.entries(inner.of).flatMap(([name, field]) => {
    const at = within === '' ? name : `${within}.${name}`;
    const isEssential = (isTop && field.as === 'list' && isOfLists(inner.of)) || isRequired(field);
    const row = [
      `\`${at}\``,
      whatOf(field, self).replaceAll('|', '\\|'),
      isEssential ? 'yes' : '',
      isEssential ? '' : standInOf(field),
    ];
    return [row, ...rowsOf(field, at, self)];
  });
}

/** Whether what holds it cannot be used without. */
function isRequired(field: Shape): boolean {
  const { needed, nullable, optional, from, otherwise } = field;
  if (nullable || optional || from !== undefined || otherwise !== undefined) return false;
  return needed === true || (field.as === 'fields' && Object.values(field.of).some(isRequired));
}

function whatOf(shape: Shape, self: string | undefined): string {
  const thing = thingOf(shape, self);
  if (thing !== undefined) return `a [${thing.toLowerCase()}](#${thing.toLowerCase().replaceAll(' ', '-')})`;
  if (shape.as !== 'list') return wordFor(shape);
  const entry = thingOf(shape.of, self);
  if (entry === undefined)
    return shape.of.as === 'fields' || shape.of.as === 'either'
      ? 'a list of objects'
      : `a list; each ${wordFor(shape.of)}`;
  return `a list; each a [${entry.toLowerCase()}](#${entry.toLowerCase().replaceAll(' ', '-')})`;
}

function thingOf(
  { nullable: _, optional: __, needed: ___, from: ____, ...shape }: Shape,
  self?: string,
): string | undefined {
  const text = JSON.stringify(shape);
  return THINGS.find(([name, known]) => name !== self && JSON.stringify(known) === text)?.[0];
}

function standInOf(shape: Shape): string {
  if (shape.from === '') return 'the fields beside it';
  if (shape.from !== undefined) return `\`${shape.from}\``;
  if (shape.otherwise !== undefined) return `\`${JSON.stringify(shape.otherwise)}\``;
  if (shape.optional) return 'nothing';
  if (shape.nullable) return '`null`';
  if (shape.as === 'one') return `\`${JSON.stringify(shape.of[0])}\``;
  return STAND_INS[shape.as];
}

const STAND_INS: Readonly<Record<Shape['as'], string>> = {
  any: '`null`',
  plain: '`""`',
  text: '`""`',
  number: '`0`',
  integer: '`0`',
  flag: '`false`',
  time: 'nothing is shown',
  language: 'the language asked for',
  one: '',
  list: 'an empty list',
  map: '`{}`',
  either: '',
  fields: 'what stands in for its fields',
};

if (import.meta.main) writeFileSync(DOCUMENT, upstreamDocument());
