import { type TSchema, Type } from 'typebox';
import { DATA_KINDS, DESCRIPTION_FORMATS, TEXT_LIMITS } from '../constants.ts';
import { LANGUAGES } from '../languages.ts';
import { HOST_ID, HOST_RANGE_MAX } from './hosts.ts';
import { CAPABILITIES, EDITORS, PERMISSIONS } from './manifest/fields.ts';
import { DEFAULT_PACKAGE_LIMITS, FORMAT_VERSION, PACKAGE_FORMAT } from './package.ts';

const ITEMS_MAX = 64;
const FILLED = String.raw`\S`;
const SEMVER = String.raw`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`;

const text = (maxLength = 2000) => Type.String({ maxLength });
const filled = (maxLength = 200) => Type.String({ maxLength, pattern: FILLED });
const list = (items: TSchema) => Type.Array(items, { maxItems: ITEMS_MAX });
/** Other values are allowed too, with a warning; editors suggest the known ones. */
const known = (values: readonly string[]) => Type.Unsafe({ anyOf: [{ enum: values }, filled(2000)] });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

/** One text, or an object with a text per language. */
const texts = (maxLength: number) =>
  Type.Union([
    text(maxLength),
    Type.Object(Object.fromEntries(LANGUAGES.map((language) => [language, optional(text(maxLength))]))),
  ]);

const parameters = list(
  Type.Object({
    name: filled(),
    key: filled(),
    description: optional(text()),
    allowFreeform: optional(Type.Boolean()),
    optional: optional(Type.Boolean()),
  }),
);

/** A level of the menu, and the levels that may be below it. */
function menu(levels: number): TSchema {
  const item = { name: filled(), parameters: optional(parameters), parameterOnly: optional(Type.Boolean()) };
  const noSeparator = { separator: optional(Type.Literal(false)) };
  return Type.Array(
    Type.Union([
      Type.Object({ separator: Type.Literal(true) }),
      Type.Object({ ...item, ...noSeparator, command: filled(), menu: optional(Type.Never()) }),
      ...(levels > 1
        ? [
            Type.Object({
              ...item,
              ...noSeparator,
              menu: menu(levels - 1),
              command: optional(Type.Never()),
            }),
          ]
        : []),
    ]),
  );
}

function manifest(): TSchema {
  const flag = optional(Type.Boolean());
  const domains = Type.Array(text(), { maxItems: DEFAULT_PACKAGE_LIMITS.domains });
  return Type.Object({
    name: filled(),
    main: filled(),
    id: optional(Type.Union([text(200), Type.Number()])),
    api: optional(filled(64)),
    version: optional(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    description: optional(text(5000)),
    ui: optional(Type.Union([filled(), Type.Record(Type.String(), filled())])),
    menu: optional(menu(DEFAULT_PACKAGE_LIMITS.menuDepth)),
    editorType: optional(list(known(EDITORS))),
    engines: optional(
      Type.Object(
        {},
        { propertyNames: { pattern: HOST_ID.source }, additionalProperties: filled(HOST_RANGE_MAX) },
      ),
    ),
    permissions: optional(list(known(PERMISSIONS))),
    capabilities: optional(list(known(CAPABILITIES))),
    parameters: optional(parameters),
    parameterOnly: flag,
    networkAccess: optional(
      Type.Object({
        allowedDomains: Type.Array(text(), { minItems: 1, maxItems: DEFAULT_PACKAGE_LIMITS.domains }),
        devAllowedDomains: optional(domains),
        reasoning: optional(text()),
      }),
    ),
    relaunchButtons: optional(
      list(Type.Object({ command: filled(), name: filled(), multipleSelection: flag })),
    ),
    codegenLanguages: optional(list(Type.Object({ label: filled(), value: filled() }))),
    codegenPreferences: optional(
      list(
        Type.Object({
          itemType: known(['unit', 'select', 'action']),
          label: optional(text(200)),
          propertyName: optional(filled()),
          scaledUnit: optional(filled()),
          defaultScaleFactor: optional(Type.Number()),
          default: flag,
          includedLanguages: optional(list(filled())),
          options: optional(list(Type.Object({ label: filled(), value: filled(), isDefault: flag }))),
        }),
      ),
    ),
    documentAccess: optional(known(['dynamic-page'])),
    enableProposedApi: flag,
    enablePrivatePluginApi: flag,
    build: optional(text()),
    containsWidget: flag,
    widgetApi: optional(filled(64)),
  });
}

const link = (): TSchema => Type.String({ maxLength: TEXT_LIMITS.link, pattern: '^[Hh][Tt][Tt][Pp][Ss]://' });

function listing(): TSchema {
  return Type.Object({
    defaultLanguage: optional(known(LANGUAGES)),
    name: optional(texts(TEXT_LIMITS.name)),
    intro: optional(texts(TEXT_LIMITS.intro)),
    description: optional(texts(TEXT_LIMITS.description)),
    descriptionFormat: optional(Type.Enum(DESCRIPTION_FORMATS)),
    license: optional(text(TEXT_LIMITS.license)),
    homePage: optional(link()),
    source: optional(link()),
    issues: optional(link()),
    dataCollected: optional(
      Type.Object({
        kinds: optional(Type.Array(Type.Enum(DATA_KINDS))),
        other: optional(texts(TEXT_LIMITS.data_collected)),
      }),
    ),
    tags: optional(Type.Array(filled(64), { maxItems: DEFAULT_PACKAGE_LIMITS.tags })),
    contact: optional(text(TEXT_LIMITS.contact)),
    support: optional(texts(TEXT_LIMITS.support)),
    copyright: optional(text(TEXT_LIMITS.contact)),
    version: optional(Type.String({ maxLength: 64, pattern: SEMVER })),
    versionNote: optional(texts(TEXT_LIMITS.version_note)),
    icon: optional(Type.String({ pattern: '^[Dd][Aa][Tt][Aa]:[Ii][Mm][Aa][Gg][Ee]/' })),
  });
}

/**
 * JSON Schema (draft 2020-12) of a package for editors and build tools. `checkPackage` refuses everything that the schema
 * refuses, and more: a schema cannot express, for example, that a referenced file must exist.
 */
export function packageSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Plugin package',
    ...Type.Object({
      format: Type.Literal(PACKAGE_FORMAT),
      formatVersion: Type.Literal(FORMAT_VERSION),
      manifest: manifest(),
      files: Type.Record(Type.String(), Type.String(), {
        minProperties: 1,
        maxProperties: DEFAULT_PACKAGE_LIMITS.files,
      }),
      listing: optional(listing()),
    }),
  };
}
