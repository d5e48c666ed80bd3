import type { CodeTable } from '../../entities/finding.ts';

/** What is wrong with, or to be said of, a package and its manifest (design section 7). */
export const MANIFEST_CODES = {
  PACKAGE_TOO_LARGE: { severity: 'error', message: 'The package exceeds {size} MB.' },
  PACKAGE_ARRAY: { severity: 'error', message: 'The file holds a list of plugins; import it as a batch.' },
  NOT_A_PLUGIN: { severity: 'error', message: 'Plugin parsing failed.' },
  FILES_MISSING: {
    severity: 'error',
    message: 'This is a manifest alone; the package must hold the files too.',
  },
  FORMAT_UNKNOWN: { severity: 'error', message: 'The format must be "plugin-package".' },
  FORMAT_VERSION: { severity: 'error', message: 'The format version must be 1.' },
  KEY_UNKNOWN: { severity: 'warning', message: 'The key {key} is not known here; it is kept.' },
  FIELD_REQUIRED: { severity: 'error', message: 'This is required.' },
  FIELD_EMPTY: { severity: 'error', message: 'This must not be empty.' },
  FIELD_TYPE: { severity: 'error', message: 'This must be {expected}, not {found}.' },
  FIELD_VALUE: { severity: 'error', message: 'The value {value} is not allowed here.' },
  VALUE_UNKNOWN: { severity: 'warning', message: 'The value {value} is not known here.' },
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
} as const satisfies CodeTable;
