import type { JsonValue } from '../package.ts';
import type { Path } from '../report.ts';
import {
  type Check,
  type Context,
  flag,
  isObject,
  isOtherType,
  listOf,
  number,
  oneOf,
  scalar,
  shape,
  text,
} from './checks.ts';
import { engines } from './engines.ts';
import { menu, parameters } from './menu.ts';
import { networkAccess } from './network.ts';

const name = text({ limit: 200, isFilled: true });
const choices = listOf(shape({ label: name, value: name, isDefault: flag }, ['label', 'value']));

export const EDITORS = ['pixso', 'figma', 'figjam', 'dev', 'slides', 'buzz', 'sites', 'whiteboard'];
export const CAPABILITIES = ['textreview', 'codegen', 'inspect', 'vscode'];
export const PERMISSIONS = ['currentuser', 'activeusers', 'fileusers', 'payments', 'teamlibrary'];

/** Every field of the manifests of Pixso and Figma (R 6.3). */
const MANIFEST_FIELDS: Readonly<Record<string, Check>> = {
  name,
  id,
  api: text({ limit: 64, isFilled: true }),
  version: scalar,
  description: text({ limit: 5000 }),
  main: text({ limit: 200, isFilled: true }),
  ui,
  menu,
  editorType: listOf(oneOf(EDITORS), { isDistinct: true }),
  engines,
  networkAccess,
  permissions: listOf(oneOf(PERMISSIONS), { isDistinct: true }),
  capabilities: listOf(oneOf(CAPABILITIES), { isDistinct: true }),
  relaunchButtons: listOf(shape({ command: name, name, multipleSelection: flag }, ['command', 'name'])),
  parameters,
  parameterOnly: flag,
  codegenLanguages: listOf(shape({ label: name, value: name }, ['label', 'value'])),
  codegenPreferences: listOf(
    shape(
      {
        itemType: oneOf(['unit', 'select', 'action']),
        label: text({ limit: 200 }),
        propertyName: name,
        scaledUnit: name,
        defaultScaleFactor: number,
        default: flag,
        includedLanguages: listOf(name),
        options: choices,
      },
      ['itemType'],
    ),
  ),
  documentAccess: oneOf(['dynamic-page']),
  enableProposedApi: flag,
  enablePrivatePluginApi: flag,
  build: text(),
  containsWidget: flag,
  widgetApi: text({ limit: 64, isFilled: true }),
};

/** Checks a manifest, except that its paths exist: `checkReferences` does that. */
export const checkManifest: Check = shape(MANIFEST_FIELDS, ['name', 'main']);

/** Figma's ids are strings of digits; in manifests written by hand they may be numbers. */
function id(value: JsonValue, path: Path, context: Context): void {
  if (isOtherType(value, ['string', 'number'], path, context)) return;
  if (typeof value === 'string') text({ limit: 200 })(value, path, context);
}

/** One page, or an object of named pages. */
function ui(value: JsonValue, path: Path, context: Context): void {
  if (isOtherType(value, ['string', 'object'], path, context)) return;
  if (isObject(value)) {
    const pages = Object.entries(value);
    const limit = context.limits.files;
    if (pages.length > limit) context.report.value(path, 'TOO_MANY_ITEMS', { limit: String(limit) });
    for (const [key, page] of pages.slice(0, limit)) name(page, [...path, key], context);
  } else {
    name(value, path, context);
  }
}
