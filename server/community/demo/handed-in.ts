import { type Static, Type } from 'typebox';
import { loadFile } from './catalogue.ts';
import {
  type DemoPlugin,
  type DemoPublisher,
  Plugin,
  Text,
  TextsSchema,
  Version,
} from './catalogue-schema.ts';
import { HANDED_IN_PROGRAMS } from './handed-in-programs.ts';

const closed = { additionalProperties: false };

const Handed = {
  /** Name of its program, where it brings code. */
  program: Type.Optional(Text),
  hours_ago: Type.Integer({ minimum: 0 }),
  /** Why it was refused; what has none waits for review. */
  reason: Type.Optional(Text),
};

const NewVersion = Type.Object(
  {
    version: Version.properties.version,
    kind: Type.Union([Type.Literal('new'), Type.Literal('fixed')]),
    note: TextsSchema,
  },
  closed,
);

const Change = Type.Object(
  {
    /** The plugin of the catalogue that is changed. */
    slug: Text,
    version: Type.Optional(NewVersion),
    listing: Type.Optional(
      Type.Object({ intro: Type.Optional(TextsSchema), tags: Type.Optional(Type.Array(Text)) }, closed),
    ),
  },
  closed,
);

const HandedInFile = Type.Array(
  Type.Union([
    Type.Object({ ...Handed, plugin: Plugin }, closed),
    Type.Object({ ...Handed, change: Change }, closed),
  ]),
);

type Common = { program: string | undefined; hours_ago: number; reason: string | undefined };
export type HandedInPlugin = Common & { plugin: DemoPlugin };
export type HandedInChange = Common & { change: Static<typeof Change> };
export type HandedIn = HandedInPlugin | HandedInChange;

/**
 * What was handed in for review in the demo, oldest first: new plugins, versions and a change of a listing.
 * @throws Error when the file breaks the schema or names a program or publisher that there is not
 */
export function loadHandedIn(publishers: readonly DemoPublisher[]): HandedIn[] {
  return loadFile('handed-in', HandedInFile).map((item) => {
    const common = { program: programOf(item.program), hours_ago: item.hours_ago, reason: item.reason };
    if ('change' in item) return { ...common, change: item.change };
    const publisher = publishers.find(({ user_id }) => user_id === item.plugin.publisher);
    if (!publisher)
      throw new Error(`catalogue: ${item.plugin.slug} has no publisher ${item.plugin.publisher}`);
    return { ...common, plugin: { ...item.plugin, publisher } };
  });
}

function programOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const program = HANDED_IN_PROGRAMS[name];
  if (program === undefined) throw new Error(`catalogue: no program ${name}`);
  return program;
}
