import type { CodeTable } from '../../entities/finding.ts';

/** What is wrong with the files of a package, and what a reviewer should look at in them. */
export const FILE_CODES = {
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
  CODE_TOO_COMPLEX: { severity: 'error', message: 'The file {file} is nested too deeply to be read.' },
  HOST_UNDECLARED: { severity: 'warning', message: 'The code names {host}, which is not declared.' },
  EVAL_USED: { severity: 'warning', message: 'The code runs text as a program ({found}).' },
  CODE_MINIFIED: { severity: 'warning', message: 'The file {file} is minified: hard to review.' },
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
} as const satisfies CodeTable;
