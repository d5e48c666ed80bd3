import type { FindingCode } from '../../../../shared/package/finding-codes.ts';

/** Lines of JSON: those of the whole file, or members of an object in it. */
export type Example = {
  at: 'file' | 'package' | 'manifest' | 'listing';
  wrong: string;
  right?: string;
};

const MINIMAL = `{
  "format": "plugin-package",
  "formatVersion": 1,
  "manifest": { "name": "Palette", "main": "main.js" },
  "files": { "main.js": "pixso.closePlugin();" }
}`;

/** Files of a package by their path, each with the same line. */
function files(...paths: string[]): string {
  const members = paths.map((path) => `${JSON.stringify(path)}: "pixso.closePlugin();"`);
  return `"manifest": { "name": "Palette", "main": "main.js" },\n"files": { ${members.join(', ')} }`;
}

const script = (code: string): string =>
  `"manifest": {\n  "name": "Palette",\n  "main": "main.js",\n  "networkAccess": { "allowedDomains": ["none"] }\n},\n"files": { "main.js": ${JSON.stringify(code)} }`;
const network = (access: string): string => `"networkAccess": { ${access} }`;
/** A script that asks a host; in two parts, as this program itself may open no connection here. */
const ASKING = `${'fetch'}('https://api.example.com/colors');`;
const inFile = (wrong: string, right?: string): Example => ({ at: 'file', wrong, ...(right && { right }) });
const inPackage = (wrong: string, right: string): Example => ({ at: 'package', wrong, right });
const inManifest = (wrong: string, right?: string): Example => ({
  at: 'manifest',
  wrong,
  ...(right && { right }),
});
const inListing = (wrong: string, right: string): Example => ({ at: 'listing', wrong, right });

/** What a check refuses or remarks upon, and how it is written instead; for codes that a few lines can show. */
export const EXAMPLES: Readonly<Partial<Record<FindingCode, Example>>> = {
  JSON_SYNTAX: inManifest('"name": "Palette" "main": "main.js"', '"name": "Palette", "main": "main.js"'),
  JSON_VALUE_MISSING: inListing('"tags": ["color",, "icon"]', '"tags": ["color", "icon"]'),
  JSON_KEY_EXPECTED: inManifest('1: "main.js"', '"main": "main.js"'),
  JSON_UNFINISHED: inFile('{ "format": "plugin-package"', '{ "format": "plugin-package" }'),
  JSON_EXTRA: inFile('{ "format": "plugin-package" } }', '{ "format": "plugin-package" }'),
  JSON_COMMENT: inManifest('"main": "main.js" // where it begins', '"main": "main.js"'),
  JSON_TRAILING_COMMA: inManifest('"editorType": ["pixso",]', '"editorType": ["pixso"]'),
  JSON_SINGLE_QUOTE: inManifest("'name': 'Palette'", '"name": "Palette"'),
  JSON_UNQUOTED_KEY: inManifest('name: "Palette"', '"name": "Palette"'),
  JSON_LITERAL: inManifest('"parameterOnly": True', '"parameterOnly": true'),
  JSON_NUMBER: inManifest('"id": 007', '"id": 7'),
  JSON_NUMBER_RANGE: inManifest('"id": 1e999', '"id": "1180000000000000001"'),
  JSON_CONTROL_CHARACTER: inManifest(
    '"description": "First line\nSecond line"',
    '"description": "First line\\nSecond line"',
  ),
  JSON_ESCAPE: inManifest('"description": "50\\% faster"', '"description": "50% faster"'),
  JSON_DUPLICATE_KEY: inManifest('"name": "Palette",\n"name": "Color steps"', '"name": "Color steps"'),
  JSON_KEY_FORBIDDEN: inManifest('"__proto__": {}'),
  TEXT_LONE_SURROGATE: inManifest('"description": "\\ud83d"', '"description": "\\ud83d\\ude00"'),
  TEXT_NUL: inManifest('"description": "Colors\\u0000"', '"description": "Colors"'),
  PACKAGE_ARRAY: inFile(`[\n${MINIMAL.replace(/^/gm, '  ')}\n]`, MINIMAL),
  NOT_A_PLUGIN: inFile('{ "colors": ["red"] }', MINIMAL),
  FILES_MISSING: inFile(
    '{\n  "name": "Palette",\n  "api": "1.0.0",\n  "main": "main.js",\n  "editorType": ["pixso"]\n}',
    MINIMAL,
  ),
  FORMAT_UNKNOWN: inPackage('"format": "plugin"', '"format": "plugin-package"'),
  FORMAT_VERSION: inPackage('"formatVersion": "1"', '"formatVersion": 1'),
  KEY_UNKNOWN: inManifest('"discription": "Colors at hand"', '"description": "Colors at hand"'),
  FIELD_REQUIRED: inManifest('"name": "Palette"', '"name": "Palette",\n"main": "main.js"'),
  FIELD_EMPTY: inManifest('"name": ""', '"name": "Palette"'),
  FIELD_TYPE: inManifest('"editorType": "pixso"', '"editorType": ["pixso"]'),
  VALUE_UNKNOWN: inManifest('"editorType": ["pixo"]', '"editorType": ["pixso"]'),
  VALUE_DUPLICATE: inManifest('"editorType": ["pixso", "pixso"]', '"editorType": ["pixso"]'),
  MENU_COMMAND_MISSING: inManifest(
    '"menu": [{ "name": "Run" }]',
    '"menu": [{ "name": "Run", "command": "run" }]',
  ),
  MENU_COMMAND_SUBMENU: inManifest(
    '"menu": [{\n  "name": "Sort",\n  "command": "sort",\n  "menu": [{ "name": "By name", "command": "by-name" }]\n}]',
    '"menu": [{\n  "name": "Sort",\n  "menu": [{ "name": "By name", "command": "by-name" }]\n}]',
  ),
  MENU_COMMAND_DUPLICATE: inManifest(
    '"menu": [\n  { "name": "Run", "command": "run" },\n  { "name": "Help", "command": "run" }\n]',
    '"menu": [\n  { "name": "Run", "command": "run" },\n  { "name": "Help", "command": "help" }\n]',
  ),
  MENU_SEPARATOR: inManifest(
    '"menu": [{ "name": "More", "separator": true }]',
    '"menu": [{ "separator": true }]',
  ),
  PARAMETER_DUPLICATE: inManifest(
    '"parameters": [\n  { "name": "Width", "key": "size" },\n  { "name": "Height", "key": "size" }\n]',
    '"parameters": [\n  { "name": "Width", "key": "width" },\n  { "name": "Height", "key": "height" }\n]',
  ),
  DOMAIN_INVALID: inManifest(
    network('"allowedDomains": ["api.example.com/*"]'),
    network('"allowedDomains": ["api.example.com"]'),
  ),
  DOMAIN_SCHEME: inManifest(
    network('"allowedDomains": ["ftp://files.example.com"]'),
    network('"allowedDomains": ["https://files.example.com"]'),
  ),
  DOMAIN_NONE_ALONE: inManifest(
    network('"allowedDomains": ["none", "api.example.com"]'),
    network('"allowedDomains": ["api.example.com"]'),
  ),
  DOMAIN_ANY_REASON: inManifest(
    network('"allowedDomains": ["*"]'),
    network('\n  "allowedDomains": ["*"],\n  "reasoning": "It opens pages that people name."\n'),
  ),
  DOMAIN_LOCALHOST: inManifest(
    network('"allowedDomains": ["http://localhost:3000"]'),
    network('\n  "allowedDomains": ["none"],\n  "devAllowedDomains": ["http://localhost:3000"]\n'),
  ),
  DOMAIN_DUPLICATE: inManifest(
    network('"allowedDomains": ["api.example.com", "api.example.com"]'),
    network('"allowedDomains": ["api.example.com"]'),
  ),
  NETWORK_UNDECLARED: inManifest(
    '"name": "Palette"',
    `"name": "Palette",\n${network('"allowedDomains": ["none"]')}`,
  ),
  FILE_MISSING: inPackage(files('code.js'), files('main.js')),
  FILE_CASE: inPackage(files('Main.js'), files('main.js')),
  FILE_ORPHAN: inPackage(files('main.js', 'old.js'), files('main.js')),
  FILE_EMPTY: inPackage(script(''), script('pixso.closePlugin();')),
  FILE_PATH_ABSOLUTE: inPackage(files('/main.js'), files('main.js')),
  FILE_PATH_PARENT: inPackage(files('../main.js'), files('main.js')),
  FILE_PATH_BACKSLASH: inPackage(files('main.js', 'src\\tools.js'), files('main.js', 'src/tools.js')),
  FILE_PATH_INVALID: inPackage(files('main.js', 'what?.js'), files('main.js', 'what.js')),
  FILE_PATH_COLLISION: inPackage(files('main.js', 'MAIN.js'), files('main.js', 'tools.js')),
  CODE_SYNTAX: inPackage(script('const = 5;'), script('const steps = 5;')),
  HOST_UNDECLARED: inPackage(script(ASKING), script(ASKING).replace('"none"', '"api.example.com"')),
  EVAL_USED: inPackage(script("const sum = eval('1 + 1');"), script('const sum = 1 + 1;')),
  TEXT_INVISIBLE: inListing('"intro": "Colors\\u202e at hand"', '"intro": "Colors at hand"'),
  LANGUAGE_UNKNOWN: inListing('"name": { "en": "Palette" }', '"name": { "en-US": "Palette" }'),
  TOO_MANY_TAGS: inListing('"tags": ["a", "b", "c", "d", "e", "f"]', '"tags": ["a", "b", "c", "d", "e"]'),
  VERSION_INVALID: inListing('"version": "v1.2"', '"version": "1.2.0"'),
  ICON_DATA_URL: inListing(
    '"icon": "https://example.com/icon.png"',
    '"icon": "data:image/png;base64,iVBORw0KGgo="',
  ),
};
