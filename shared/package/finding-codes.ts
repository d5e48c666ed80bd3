import type { Finding, Severity } from '../entities/finding.ts';

/**
 * All findings: stable code → severity and English message, whose {placeholders} are replaced by the finding's params.
 * The web client has its own translations for each code.
 */
export const FINDING_CODES = {
  // Errors of a file that is not valid JSON.
  NOT_JSON: { severity: 'error', message: 'Only Json files are supported' },
  JSON_EMPTY: { severity: 'error', message: 'The file is empty.' },
  ENCODING_UTF16: { severity: 'error', message: 'The file is encoded as {encoding}; save it as UTF-8.' },
  ENCODING_INVALID: { severity: 'error', message: 'The file is not valid UTF-8.' },
  JSON_SYNTAX: { severity: 'error', message: 'Expected {expected}, found {found}.' },
  JSON_VALUE_MISSING: { severity: 'error', message: 'A value is missing before {found}.' },
  JSON_KEY_EXPECTED: { severity: 'error', message: 'A key in double quotes must stand here, not {found}.' },
  JSON_UNFINISHED: { severity: 'error', message: 'The file ends too early: {expected} is missing.' },
  JSON_EXTRA: { severity: 'error', message: 'Nothing may follow the end of the JSON, found {found}.' },
  JSON_COMMENT: { severity: 'error', message: 'JSON has no comments; remove this one.' },
  JSON_TRAILING_COMMA: { severity: 'error', message: 'Remove the comma before {found}.' },
  JSON_SINGLE_QUOTE: { severity: 'error', message: 'JSON writes strings and keys in double quotes.' },
  JSON_UNQUOTED_KEY: { severity: 'error', message: 'The key {key} must stand in double quotes.' },
  JSON_LITERAL: { severity: 'error', message: 'JSON has no value {found}.' },
  JSON_NUMBER: { severity: 'error', message: '{found} is not a number as JSON writes it.' },
  JSON_NUMBER_RANGE: { severity: 'error', message: 'The number {found} is out of range.' },
  JSON_CONTROL_CHARACTER: {
    severity: 'error',
    message: 'A string holds the character {found}, which must be written as an escape.',
  },
  JSON_ESCAPE: { severity: 'error', message: 'JSON has no escape {found}.' },
  JSON_DUPLICATE_KEY: { severity: 'error', message: 'The key {key} is there already, on line {line}.' },
  JSON_KEY_FORBIDDEN: { severity: 'error', message: 'The key {key} is not allowed.' },
  JSON_KEY_TOO_LONG: { severity: 'error', message: 'A key has more than {limit} characters.' },
  JSON_TOO_DEEP: { severity: 'error', message: 'The JSON is nested deeper than {limit} levels.' },
  JSON_TOO_MANY_VALUES: { severity: 'error', message: 'The JSON holds more than {limit} values.' },
  TEXT_LONE_SURROGATE: { severity: 'error', message: 'A text holds half a character (a lone surrogate).' },
  TEXT_NUL: { severity: 'error', message: 'A text holds the character NUL.' },
  // The package and its manifest.
  PACKAGE_TOO_LARGE: { severity: 'error', message: 'The package exceeds {size} MB.' },
  PACKAGE_ARRAY: { severity: 'error', message: 'The file holds a list of plugins; import it as a batch.' },
  NOT_A_PLUGIN: { severity: 'error', message: 'Plugin parsing failed.' },
  FILES_MISSING: {
    severity: 'error',
    message: 'This is a manifest alone; the package must hold the files too.',
  },
  FORMAT_UNKNOWN: { severity: 'error', message: 'The format must be "plugin-package".' },
  FORMAT_VERSION: { severity: 'error', message: 'The format version must be 1.' },
  KEY_UNKNOWN: { severity: 'warning', message: 'Unknown key {key}; it is kept.' },
  FIELD_REQUIRED: { severity: 'error', message: 'This is required.' },
  FIELD_EMPTY: { severity: 'error', message: 'This must not be empty.' },
  FIELD_TYPE: { severity: 'error', message: 'This must be {expected}, not {found}.' },
  FIELD_VALUE: { severity: 'error', message: 'The value {value} is not allowed here.' },
  VALUE_UNKNOWN: { severity: 'warning', message: 'Unknown value {value}.' },
  VALUE_DUPLICATE: { severity: 'warning', message: '{value} is there twice.' },
  TOO_MANY_ITEMS: { severity: 'error', message: 'At most {limit} are allowed here.' },
  TOO_MANY_MENU_ITEMS: { severity: 'error', message: 'The menu has more than {limit} items.' },
  MENU_TOO_DEEP: { severity: 'error', message: 'The menu is nested deeper than {limit} levels.' },
  MENU_COMMAND_MISSING: { severity: 'error', message: 'A menu item needs a command or a menu of its own.' },
  MENU_COMMAND_SUBMENU: {
    severity: 'error',
    message: 'A menu item has a command or a menu of its own, not both.',
  },
  MENU_COMMAND_DUPLICATE: { severity: 'warning', message: 'Two menu items have the command {command}.' },
  MENU_SEPARATOR: { severity: 'warning', message: 'A separator has nothing but "separator": true.' },
  ENGINE_UNKNOWN: {
    severity: 'error',
    message: 'Plugins of this site work in: {known}. {host} is none of these.',
  },
  ENGINE_RANGE: { severity: 'error', message: '{value} is no range of versions like >=4.2.' },
  PARAMETER_DUPLICATE: { severity: 'error', message: 'Two parameters have the key {key}.' },
  DOMAIN_INVALID: { severity: 'error', message: '{domain} is no domain pattern.' },
  DOMAIN_SCHEME: { severity: 'error', message: '{domain} must begin with http, https, ws or wss.' },
  DOMAIN_NONE_ALONE: { severity: 'error', message: '"none" must stand alone.' },
  DOMAIN_ANY_REASON: { severity: 'error', message: '"*" needs a "reasoning".' },
  DOMAIN_LOCALHOST: {
    severity: 'error',
    message: '{domain} is this computer; it may stand in devAllowedDomains only.',
  },
  DOMAIN_DUPLICATE: { severity: 'warning', message: '{domain} is there twice.' },
  TOO_MANY_DOMAINS: { severity: 'error', message: 'More than {limit} domains are declared.' },
  // The files of a package.
  TOO_MANY_FILES: { severity: 'error', message: 'The package has more than {limit} files.' },
  CODE_TOO_LARGE: { severity: 'error', message: 'The file {file} exceeds {size} MB.' },
  FILE_MISSING: { severity: 'error', message: 'The package has no file {file}.' },
  FILE_CASE: { severity: 'error', message: 'The package has no file {file}, but {other}: case matters.' },
  FILE_ORPHAN: { severity: 'warning', message: 'Nothing refers to the file {file}.' },
  FILE_EMPTY: { severity: 'error', message: 'The file {file} is empty.' },
  FILE_PATH_ABSOLUTE: { severity: 'error', message: 'The path {path} must be relative to the package.' },
  FILE_PATH_PARENT: { severity: 'error', message: 'The path {path} must not lead out of its folder.' },
  FILE_PATH_BACKSLASH: { severity: 'error', message: 'The path {path} must be written with slashes.' },
  FILE_PATH_INVALID: { severity: 'error', message: 'The path {path} is not a file name.' },
  FILE_PATH_COLLISION: {
    severity: 'error',
    message: 'The paths {path} and {other} are the same file on some computers.',
  },
  CODE_SYNTAX: { severity: 'error', message: 'The file {file} is no JavaScript: {reason}' },
  CODE_TOO_COMPLEX: { severity: 'error', message: 'The file {file} is too complex to be read.' },
  HOST_UNDECLARED: { severity: 'warning', message: 'The code names {host}, which is not declared.' },
  EVAL_USED: { severity: 'warning', message: 'The code runs text as a program ({found}).' },
  CODE_MINIFIED: { severity: 'warning', message: 'The file {file} is minified: hard to review.' },
  CODE_INVISIBLE: {
    severity: 'warning',
    message: 'The file {file} holds the invisible character {found}: it may not be what it looks like.',
  },
  SECRET_LIKE: { severity: 'warning', message: 'This looks like a secret ({kind}).' },
  SECRET_FOUND: {
    severity: 'error',
    message: 'This is a secret ({kind}); anybody could read it. Take it out and revoke it.',
  },
  DOMAINS_DECLARED: { severity: 'notice', message: 'It may reach: {domains}' },
  NETWORK_UNDECLARED: { severity: 'notice', message: 'It does not say which domains it reaches.' },
  PERMISSIONS_DECLARED: { severity: 'notice', message: 'It asks for: {permissions}' },
  TOO_MANY_FINDINGS: { severity: 'warning', message: '{count} more remarks are not shown.' },
  CHECK_TIMED_OUT: {
    severity: 'error',
    message: 'The package is too complex: its check would take longer than {seconds} seconds.',
  },
  CHECK_TOO_LARGE: { severity: 'error', message: 'The check needs more memory than it may have.' },
  // Texts, pictures and version of a listing from a form, package or batch.
  TEXT_TOO_LONG: { severity: 'error', message: 'Over {limit} words' },
  TEXT_INVISIBLE: { severity: 'warning', message: 'The text holds characters that cannot be seen: {found}.' },
  NAME_MARK: {
    severity: 'error',
    message: 'A name must not hold {found}, which looks like the mark of verified publishers.',
  },
  MARKDOWN_TOO_DEEP: { severity: 'error', message: 'The description is nested too deeply.' },
  LINK_NOT_SECURE: { severity: 'error', message: 'This must be an https address.' },
  LANGUAGE_UNKNOWN: { severity: 'warning', message: 'The language {language} is not known; it is left out.' },
  TOO_MANY_TAGS: { severity: 'error', message: 'At most {limit} tags.' },
  TAG_UNKNOWN: { severity: 'warning', message: 'There is no tag {tag}; it is left out.' },
  VERSION_INVALID: { severity: 'error', message: '{version} is no version number like 1.2.0.' },
  VERSION_ASSUMED: { severity: 'warning', message: 'No version is given; {version} is taken.' },
  VERSION_NOT_GREATER: { severity: 'error', message: 'The version must be greater than {version}.' },
  VERSION_EXISTS: { severity: 'error', message: 'Version {version} is there already, with another content.' },
  VERSION_REPEATED: { severity: 'notice', message: 'Version {version} is there already, with this content.' },
  SIMILAR_NAME: { severity: 'warning', message: 'The name is close to {name} by {publisher}.' },
  VERIFIED_NAME: {
    severity: 'warning',
    message: 'The name is close to that of {publisher}, a verified publisher.',
  },
  PUBLISHER_NAME_TAKEN: {
    severity: 'error',
    message: 'Your name {name} looks like that of {publisher}, a verified publisher. Choose another one.',
  },
  PUBLISHER_NAME_ALIKE: {
    severity: 'warning',
    message: 'The name of the publisher, {name}, is close to that of {publisher}, who is verified.',
  },
  DUPLICATE_ID: { severity: 'warning', message: 'The id {id} is there more than once in this batch.' },
  DUPLICATE_PACKAGE: {
    severity: 'error',
    message: 'The same package is there more than once in this batch.',
  },
  PLUGIN_UNKNOWN: { severity: 'error', message: 'There is no plugin {plugin_key}.' },
  PLUGIN_FOREIGN: { severity: 'error', message: 'The plugin {plugin_key} belongs to somebody else.' },
  ITEM_SKIPPED: { severity: 'notice', message: 'Left out as you asked.' },
  ITEM_FAILED: { severity: 'error', message: 'Something went wrong on our side; send this one again.' },
  BATCH_TOO_MANY_ITEMS: { severity: 'error', message: 'A batch holds at most {limit} packages.' },
  BATCH_TOO_LARGE: { severity: 'error', message: 'A batch holds at most {size} MB.' },
  BATCH_EMPTY: { severity: 'error', message: 'The list holds no plugin.' },
  ICON_DATA_URL: { severity: 'error', message: 'The icon must be a data URL in base64.' },
  ICON_TOO_LARGE: { severity: 'error', message: 'The icon exceeds {size} KB.' },
  IMAGE_FORMAT: { severity: 'error', message: 'Incorrect image format!' },
  IMAGE_DAMAGED: { severity: 'error', message: 'The image is damaged or incomplete.' },
  IMAGE_TOO_LARGE: { severity: 'error', message: 'The image size exceeds {size} MB' },
  IMAGE_TOO_MANY_PIXELS: { severity: 'error', message: 'The image has more than {limit} megapixels.' },
  IMAGE_SIZE_ADVISED: { severity: 'notice', message: '{width} × {height} pixels are best here.' },
  IMAGE_RATIO_ADVISED: { severity: 'notice', message: 'A picture of {ratio} is best here.' },
  VIDEO_FORMAT: { severity: 'error', message: 'Incorrect video format!' },
  VIDEO_DAMAGED: { severity: 'error', message: 'The video is damaged or incomplete.' },
  VIDEO_TOO_LARGE: { severity: 'error', message: 'The video size exceeds {size} MB' },
  VIDEO_SIZE_ADVISED: { severity: 'notice', message: 'A video of up to {size} MB is best.' },
  TOO_MANY_MEDIA: { severity: 'error', message: 'At most {limit} images and videos.' },
  FILE_UNREADABLE: { severity: 'error', message: 'This file has changed or been moved. Choose it again.' },
  MEDIA_UNKNOWN: { severity: 'error', message: 'This picture or video is not one of this plugin.' },
  COMPARISON_INCOMPLETE: {
    severity: 'error',
    message: 'A before picture needs a picture right before it that shows the result.',
  },
  UPLOAD_MISSING: { severity: 'error', message: 'The form names an upload that did not come with it.' },
} as const satisfies Readonly<Record<string, { severity: Severity; message: string }>>;

export type FindingCode = keyof typeof FINDING_CODES;

/** The place of a finding, as far as it is known. */
type FindingPlace = Pick<Finding, 'pointer' | 'line' | 'column' | 'file'>;

/** Limit to the value of a placeholder, in code points: findings are shown, stored and sent. */
const PARAM_MAX = 200;

/** Creates a finding; its message contains the values of `params`. */
export function finding(
  code: FindingCode,
  place: FindingPlace,
  params: Readonly<Record<string, string>> = {},
): Finding {
  const { severity, message } = FINDING_CODES[code];
  const shown = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, shortened(value)]));
  return {
    code,
    severity,
    ...place,
    message: message.replace(/\{(\w+)\}/g, (placeholder, name) => shown[name] ?? placeholder),
    ...(Object.keys(shown).length > 0 ? { params: shown } : {}),
  };
}

export function isFindingCode(value: string): value is FindingCode {
  return Object.hasOwn(FINDING_CODES, value);
}

/** Whether there is no error among the findings. */
export function isUsable(findings: readonly Finding[]): boolean {
  return findings.every(({ severity }) => severity !== 'error');
}

/** Cuts a value to its limit, and replaces lone surrogates and control characters. */
function shortened(value: string): string {
  const head = value
    .slice(0, PARAM_MAX * 2)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\u{fffd}');
  const characters = [...head];
  return characters.length > PARAM_MAX ? `${characters.slice(0, PARAM_MAX).join('')}…` : head;
}
