/**
 * Writes docs/upstreams.md from the contract: `node test/upstream/document.ts`. test/upstream/document.test.ts compares it.
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

/** Objects in the answers of several calls. */
const SHARED_OBJECTS: readonly (readonly [name: string, shape: Shape])[] = [
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

A private deployment can put the gateway in front of an existing community service (\`COMMUNITY_URL\`). This page lists what
the gateway and its pages read of its answers. It is generated from the contract by \`node test/upstream/document.ts\`, and a
test checks that it is current.

\`npm run conformance:upstream -- --base-url https://community.example\` checks such a service call by call;
\`-- --help\` explains the options. It reads as a visitor; \`--token\` adds the calls of users, and nothing is changed without
\`--changes\`.

## Envelope

An answer is JSON: \`{ "code": 0, "data": … }\`, sent with HTTP status 200. \`code\` 0 or 200 is success, as a number or as
text, with \`data\` present; calls that change something may omit it. Anything else is a failure:

- HTTP status 401, or \`code\` 401: the user is redirected to sign in.
- A numeric \`code\` is passed on, and \`message\` is shown to users, as text and up to 200 characters. With HTTP status 200 a
  \`code\` from 400 to 599 counts as the status.
- Status 404 on one of our own additions: its part of the page is hidden.

## Tokens of design tools

With \`CLIENT_TOKENS=user-service\` a tool may call the Client API ([clients.md](clients.md)) with \`Authorization: Bearer\` and an
access token that your user service has given it. The gateway passes it on as it is and does not read it, so the community
service must check it as it checks those of sessions: signature, expiry, and for whom it was issued. There are no scopes: it opens the
calls of the Client API that take a token, no others, and never beside a session cookie. A publish token stays one.

## How answers are read

- An optional field that is missing, \`null\` or of another type gets its default. Other fields are not read.
- Numbers may be text, texts may be numbers, flags may be 0 and 1, times may be seconds or milliseconds since 1970.
- An entry of a list that lacks a required field is skipped; the gateway logs the number once.
- An answer without a required field, or a list without a usable entry, is an error of its part of the page, which offers a
  retry. The rest of the page works.
- Where an answer has one list, \`data\` may be the list itself.
- Users come with \`Authorization: Bearer\`, the access token of the user service; visitors come without the header. (With
  \`SERVICE_KEYS\`, which is for our own services, name those in \`SERVICE_KEYS_FOR\`.) Languages are requested by
  \`Accept-Language\`: a text whose \`lang\` is missing counts as written in that one.
`;

export function upstreamDocument(): string {
  const calls = upstreamCalls();
  const named = calls.filter(isNamed);
  const read = calls.filter((call) => !isNamed(call) && isRead(call));
  const others = calls.filter((call) => !named.includes(call) && !read.includes(call));
  return [
    HEAD,
    '## Shared objects\n',
    ...SHARED_OBJECTS.map(([name, shape]) => `### ${name}\n\n${tableOf(shape, name)}`),
    '## Calls\n\nWithout one of these a part of the site does not work.\n',
    ...named.map(sectionOf),
    '## Additions that pages read\n\nWithout one of these its part of the page is hidden.\n',
    ...read.map(sectionOf),
    '## Further additions\n\nWithout one of these its part of the site shows an error.\n',
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
  if (successCode !== undefined) about.push(`Success is only \`code\` ${successCode}.`);
  if (file) about.push('Answers a file.');
  else if (method !== 'GET') about.push('Its answer may be empty.');
  return `### ${method} ${path}\n\n${about.join(' ')}\n${data ? `\n${tableOf(shapeOf(data))}` : ''}`;
}

/** Fields of a record belong to the service. */
function propertiesOf(body: UpstreamCall['route']['body']): object | undefined {
  return body && 'properties' in body ? Object(body.properties) : undefined;
}

function tableOf(shape: Shape, self?: string): string {
  const rows = rowsOf(shape, '', self, true);
  if (rows.length === 0) return '`data` is not read.\n';
  const head = '| Field | Type | Required | Default |\n| --- | --- | --- | --- |';
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
  return SHARED_OBJECTS.find(([name, known]) => name !== self && JSON.stringify(known) === text)?.[0];
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
  language: 'the requested language',
  one: '',
  list: 'an empty list',
  map: '`{}`',
  either: '',
  fields: 'the defaults of its fields',
};

if (import.meta.main) writeFileSync(DOCUMENT, upstreamDocument());
