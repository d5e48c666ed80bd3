import type { Finding } from './entities/finding.ts';

/**
 * All errors of the services: stable code → HTTP status and a message that is safe to show.
 * The message is for logs and command lines; the web client shows its own text by code.
 */
export const ERRORS = {
  VALIDATION_FAILED: { status: 400, message: 'The request is not valid.' },
  MALFORMED_BODY: { status: 400, message: 'The request body could not be read.' },
  BODY_TOO_DEEP: { status: 400, message: 'The request body is nested too deeply.' },
  MALFORMED_REQUEST: { status: 400, message: 'The request could not be read.' },
  BAD_CURSOR: { status: 400, message: 'The cursor is not one this list has issued.' },
  BAD_PATH: { status: 400, message: 'The request path is not acceptable.' },
  BAD_HOST: { status: 400, message: 'The Host header is not acceptable.' },
  UPGRADE_REFUSED: { status: 400, message: 'This server does not switch protocols.' },
  LOGIN_TRANSACTION_INVALID: { status: 400, message: 'code err' },
  CODE_INVALID: { status: 400, message: 'code err' },
  LOGOUT_TOKEN_INVALID: { status: 400, message: 'The logout token is not valid.' },
  AUTH_NOT_CONFIGURED: { status: 400, message: 'auth never init' },
  REDIRECT_URI_EMPTY: { status: 400, message: 'redirect_url is empty' },
  LOGIN_SOURCE_UNKNOWN: { status: 400, message: 'This site does not know where this sign-in comes from.' },
  REDIRECT_URI_REFUSED: { status: 400, message: 'The redirect_uri does not belong to this site.' },
  MAIL_LINK_INVALID: { status: 400, message: 'This link has been used or has run out.' },
  PASSWORD_LINK_INVALID: { status: 400, message: 'This link has been used or has run out.' },
  NO_LOCAL_SESSION: { status: 401, message: 'no exist local authInfo' },
  UNAUTHENTICATED: { status: 401, message: 'Sign in to continue.' },
  SESSION_ENDED: { status: 401, message: 'do not have local authInfo' },
  CHALLENGE_INVALID: { status: 400, message: 'This sign-in has run out. Sign in again.' },
  DEVICE_CODE_INVALID: { status: 400, message: 'This code is wrong, or has run out.' },
  TOOL_REQUEST_INVALID: {
    status: 400,
    message: 'This request of a tool has run out, or was not begun here.',
  },
  SSO_REFUSED: { status: 401, message: 'The sign-in service did not prove who you are.' },
  SSO_STATE_INVALID: { status: 400, message: 'This sign-in was not begun here, or has run out.' },
  CREDENTIALS_INVALID: { status: 401, message: 'The account or the password is wrong.' },
  TOKEN_INVALID: { status: 401, message: 'The token is not valid.' },
  PROOF_INVALID: { status: 401, message: 'The proof of possession of the key is not valid.' },
  SERVICE_CREDENTIAL_INVALID: {
    status: 401,
    message: 'This call needs the credential of this deployment (SERVICE_KEYS).',
  },
  FORBIDDEN: { status: 403, message: 'The current account has no permission.' },
  OWNER_NOT_SEEN: { status: 403, message: 'The owner of this token must sign in and look at it first.' },
  HIDDEN_BY_ADMIN: { status: 403, message: 'An administrator has hidden this version.' },
  OWN_ACCOUNT: { status: 403, message: 'Another super administrator changes this account, not its owner.' },
  OWN_PROPOSAL: { status: 403, message: 'Another administrator confirms what you have proposed.' },
  OWN_SUBMISSION: {
    status: 403,
    message:
      'Nobody decides on their own submission. Another administrator can, or REVIEW_OWN_SUBMISSIONS=yes allows it.',
  },
  NOT_IN_TOOL: { status: 403, message: 'This is not possible inside a design tool. Open the site itself.' },
  CSRF_REFUSED: { status: 403, message: 'The request did not come from this site.' },
  SSO_ACCOUNT_UNKNOWN: { status: 403, message: 'There is no account for you here yet.' },
  CHALLENGE_SPENT: { status: 403, message: 'Too many wrong codes. Sign in again.' },
  REAUTHENTICATION_REQUIRED: { status: 403, message: 'Prove again that it is you.' },
  BIND_REFUSED: { status: 403, message: 'This sign-in belongs to another account.' },
  SIGN_IN_NOT_RECENT: { status: 403, message: 'Confirm this with your password, or sign in again.' },
  ACCOUNT_DISABLED: { status: 403, message: 'This account has been disabled.' },
  NOT_FOUND: { status: 404, message: 'Nothing was found here.' },
  PLUGIN_NOT_FOUND: { status: 404, message: 'This plugin does not exist or is not published.' },
  PUBLISHER_NOT_FOUND: { status: 404, message: 'This publisher does not exist or has published nothing.' },
  VERSION_NOT_FOUND: { status: 404, message: 'This plugin has no such version.' },
  SUBMISSION_NOT_FOUND: { status: 404, message: 'This submission does not exist.' },
  MARK_NOT_FOUND: { status: 404, message: 'This mark does not exist.' },
  TAG_NOT_FOUND: { status: 404, message: 'This tag does not exist.' },
  COLLECTION_NOT_FOUND: { status: 404, message: 'This collection does not exist, or is not for you.' },
  ACTIVITY_NOT_FOUND: { status: 404, message: 'This activity does not exist.' },
  ARTICLE_NOT_FOUND: { status: 404, message: 'This article does not exist or is not published.' },
  MEDIA_NOT_FOUND: { status: 404, message: 'This file does not exist.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This method is not allowed here.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
  PLUGIN_WITHDRAWN: { status: 410, message: 'An administrator has withdrawn this plugin.' },
  VERSION_WITHDRAWN: { status: 410, message: 'An administrator has withdrawn this version.' },
  MEDIA_WITHDRAWN: { status: 410, message: 'This file belongs to a plugin that was withdrawn.' },
  ACCOUNT_EXISTS: { status: 409, message: 'An account with this e-mail address already exists.' },
  VERSION_EXISTS: { status: 409, message: 'This version is there already, with another content.' },
  VERSION_NEEDED: { status: 409, message: 'The last visible version cannot be hidden.' },
  HANDLE_TAKEN: { status: 409, message: 'Another publisher has this handle, or one that looks like it.' },
  HANDLE_LIMIT_REACHED: { status: 409, message: 'You have changed your handle as often as you may.' },
  MARK_EXISTS: { status: 409, message: 'Another mark has this code or name.' },
  MARK_IN_USE: { status: 409, message: 'A mark that plugins have cannot be deleted.' },
  MARK_LIMIT_REACHED: { status: 409, message: 'There are as many marks as there may be.' },
  TAG_EXISTS: { status: 409, message: 'Another tag has this code or name.' },
  TAG_IN_USE: { status: 409, message: 'A tag that plugins have cannot be deleted.' },
  TAG_LIMIT_REACHED: { status: 409, message: 'Tag limit reached.' },
  SLOT_PLUGIN_GONE: {
    status: 409,
    message: 'The plugin of this slot was deleted. Choose another one first.',
  },
  TOOL_EXISTS: { status: 409, message: 'Another tool has this client id.' },
  TOOL_LIMIT_REACHED: { status: 409, message: 'There are as many tools as there may be.' },
  TOKEN_LIMIT_REACHED: { status: 409, message: 'You have as many publish tokens as you may have.' },
  FOLLOW_LIMIT_REACHED: { status: 409, message: 'You follow as much as you may.' },
  COLLECTION_LIMIT_REACHED: { status: 409, message: 'You have as many collections as you may have.' },
  COLLECTION_ADDRESS_TAKEN: { status: 409, message: 'Another collection has this address.' },
  COLLECTION_FULL: { status: 409, message: 'This collection has as many plugins as it may have.' },
  KIT_LIMIT_REACHED: { status: 409, message: 'There are as many kits as there may be.' },
  KIT_FULL: { status: 409, message: 'This kit has as many plugins as it may have.' },
  WORK_LIMIT_REACHED: { status: 409, message: 'There are as many featured works as there may be.' },
  HELP_LIMIT_REACHED: { status: 409, message: 'The help center holds as many of these as it may.' },
  ALREADY_DECIDED: { status: 409, message: 'Somebody else has decided this in the meantime.' },
  ALREADY_CLAIMED: { status: 409, message: 'Somebody else is reviewing this.' },
  SECOND_FACTOR_REQUIRED: { status: 409, message: 'Administrators must keep the second factor.' },
  LAST_SIGN_IN: { status: 409, message: 'The only way to sign in cannot be removed.' },
  LAST_SUPER_ADMIN: { status: 409, message: 'The last super administrator cannot be taken away.' },
  LAST_OWNER: { status: 409, message: 'An enterprise with other members needs another owner first.' },
  PASSWORD_ELSEWHERE: { status: 409, message: 'This account has no password here.' },
  CONFLICT: { status: 409, message: 'Somebody else has changed this in the meantime.' },
  BODY_TOO_LARGE: { status: 413, message: 'The request body is too large.' },
  IMAGE_TOO_LARGE: { status: 413, message: 'The image size exceeds {size} MB' },
  IMAGE_TOO_MANY_PIXELS: { status: 413, message: 'The image has more than {limit} megapixels.' },
  VIDEO_TOO_LARGE: { status: 413, message: 'The video size exceeds {size} MB' },
  PACKAGE_TOO_LARGE: { status: 413, message: 'The package exceeds {size} MB' },
  BATCH_TOO_LARGE: { status: 413, message: 'A batch holds at most {items} packages and {size} MB' },
  QUOTA_EXCEEDED: { status: 413, message: 'Your files would exceed the space you have.' },
  IMAGE_FORMAT: { status: 415, message: 'Incorrect image format!' },
  VIDEO_FORMAT: { status: 415, message: 'Incorrect video format!' },
  CODE_FORMAT: { status: 415, message: 'Only Json files are supported' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'This content type is not supported.' },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'The file does not have this range.' },
  EXPECTATION_REFUSED: { status: 417, message: 'Expectation failed.' },
  PACKAGE_INVALID: { status: 422, message: 'Plugin parsing failed.' },
  LISTING_INVALID: { status: 422, message: 'The plugin information is not complete.' },
  LISTING_INCOMPLETE: { status: 422, message: 'This submission is not complete and cannot be approved.' },
  IMAGE_DAMAGED: { status: 422, message: 'The image is damaged or incomplete.' },
  VIDEO_DAMAGED: { status: 422, message: 'The video is damaged or incomplete.' },
  TOO_MANY_MEDIA: { status: 422, message: 'At most 3 images and videos.' },
  VERSION_NOT_GREATER: { status: 422, message: 'The version must be greater than the last one.' },
  VERSION_NOT_PASSED: { status: 422, message: 'Only a version that has passed the review can be shown.' },
  DOMAIN_REFUSED: {
    status: 422,
    message: 'Enter a domain of your own, such as example.com, and not a suffix that many share.',
  },
  PUBLISHER_NAME_TAKEN: {
    status: 422,
    message: 'Your name looks like that of a verified publisher. Choose another one in your account.',
  },
  HANDLE_VERIFIED: {
    status: 422,
    message: 'This handle looks like the name of a verified publisher. Choose another one.',
  },
  HANDLE_RESERVED: { status: 422, message: 'This handle is reserved. Choose another one.' },
  REASON_REQUIRED: { status: 422, message: 'Please enter the reason of the rejection.' },
  DURATION_REQUIRED: { status: 422, message: 'Please set up a duration.' },
  END_BEFORE_START: { status: 422, message: 'The end date cannot earlier than the start date.' },
  END_BEFORE_NOW: { status: 422, message: 'The end date cannot earlier than now.' },
  SECOND_FACTOR_WRONG: { status: 422, message: 'The code is wrong or was used before.' },
  LINK_INVALID: { status: 422, message: 'Wrong url. Please try again.' },
  REDIRECT_ADDRESS_INVALID: {
    status: 422,
    message: 'A tool cannot be sent back to this address.',
  },
  PASSWORD_WRONG: { status: 422, message: 'The current password is wrong.' },
  PASSWORD_TOO_WEAK: { status: 422, message: 'This password is too easy to guess.' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Try again later.' },
  PUBLISH_LIMIT_REACHED: { status: 429, message: 'Publishing limit reached. Try again at {time}.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request headers are too large.' },
  INTERNAL: { status: 500, message: 'Something went wrong on our side.' },
  NOT_IMPLEMENTED: { status: 501, message: 'This call is not available yet.' },
  UPSTREAM_UNAVAILABLE: { status: 502, message: 'A service behind this site cannot be reached.' },
  SIGN_IN_MISCONFIGURED: { status: 502, message: 'The sign-in service does not accept this site.' },
  UPSTREAM_TOKEN_UNREADABLE: { status: 502, message: 'token parse error' },
  UPSTREAM_INVALID: { status: 502, message: 'A service behind this site gave an unusable answer.' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service is starting or overloaded.' },
  UPSTREAM_TIMEOUT: { status: 504, message: 'A service behind this site took too long.' },
  STORAGE_FULL: { status: 507, message: 'There is no space left to store this.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Place and reason of a refused request, with a JSON pointer (RFC 6901); findings have more fields. */
export type ErrorDetail = { pointer: string; message: string } & Partial<
  Omit<Finding, 'pointer' | 'message'>
>;

/** Body of all error responses (R 15.1). */
export type ErrorEnvelope = {
  code: ErrorCode;
  message: string;
  errors?: ErrorDetail[];
  /** Data for the caller, such as the other change after a conflict. */
  data?: unknown;
};

/** Codes the web client gives to failures that have no envelope (R 15.2). */
export const TRANSPORT_UNAUTHENTICATED = 401;
export const TRANSPORT_FAILED = -10000;

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value);
}

/** Reasons for refusing a password: `code` and message of the error's detail. Pages have their own texts by code. */
export const PASSWORD_WEAKNESSES = {
  PASSWORD_SHORT: 'has too few characters',
  PASSWORD_COMMON: 'is among the passwords that are tried first',
  PASSWORD_NAME: 'is built from a name that others know',
  PASSWORD_PATTERN: 'repeats itself or follows a row',
  PASSWORD_DATE: 'is little more than a date',
  PASSWORD_GUESSABLE: 'is too easy to guess',
} as const;

export type PasswordWeakness = keyof typeof PASSWORD_WEAKNESSES;
