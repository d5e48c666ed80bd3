/** Business constants and limits. Times in milliseconds. */
export const BASE_PATH = '/plugins/';
/** The documentation for developers. */
export const DOCS_PATH = '/plugins/docs/';
/** What publishing offers, and how it works. */
export const PUBLISHING_PATH = '/plugins/publishing';
export const BACKSTAGE_PATH = '/plugins/backstage-index';
/** Base path of the pages for publishing. */
export const PUBLISH_PATHS = '/plugins/publish-plugin/';
/** The user's own account. */
export const ACCOUNT_PATH = '/plugins/account';
export const DELETE_ACCOUNT_PATH = '/plugins/account/delete';
export const LOGIN_PATH = '/user/login';
export const BIND_PATH = '/user/login/bind';
/** The page on which users answer the request of a tool, and its parameters: the request, or why there is none. */
export const TOOL_REQUEST_PATH = '/plugins/oauth';
export const TOOL_REQUEST_PARAMETER = 'request';
export const TOOL_ERROR_PARAMETER = 'error';
/** Where a user types the code that a device shows (RFC 8628). */
export const DEVICE_PATH = '/plugins/device';
export const USER_CODE_PARAMETER = 'user_code';
export const RESET_PATH = '/user/login/reset';
/** Paths of mailed links that verify an address: for a sign-up, and for a signed-in user. */
export const SIGN_UP_PATH = '/user/login/sign-up';
export const VERIFY_PATH = '/user/login/verify';
/** Callback of the gateway for the login page. */
export const CALLBACK_PATH = '/api/auth/callback';

export const COMMUNITY_TIMEOUT = 15 * 60 * 1000;
export const USER_SERVICE_TIMEOUT = 10_000;
export const CONNECT_TIMEOUT = 2000;
export const REFRESH_ADVANCE = 5000;
export const REFRESH_NETWORK_RETRY = 5000;

/** Limits to the length of a password, in characters. */
export const PASSWORD_MAX = 200;

/** Widgets: lengths in CSS pixels, repeated in the style sheets. */
export const TOAST_DURATION = 1500;
export const TOAST_TOP = 48;
export const TOAST_STEP = 58;
export const DIALOG_WIDTH = 600;
export const DIALOG_CLICK_THROTTLE = 20;
export const TOOLTIP_WIDTH_MAX = 350;
export const TOOLTIP_LAYER = 9999;
export const BADGE_MAX = 99;
export const NUMBER_INPUT = { min: 0, max: 10, step: 1, repeat: 100 } as const;
export const SLIDER = { min: 0, max: 100, button: 10 } as const;
/** Part of the screen's height that a dropdown leaves free. */
export const DROPDOWN_MARGIN = 32;
export const RADIO_BUTTON = { height: 24, padding: 4 } as const;
export const FOCUS_DELAY = 100;
/** Debounce time of search fields. */
export const SEARCH_DELAY = 300;
/** Debounce time of suggestions, which may be cached already. */
export const SUGGESTION_DELAY = 120;
/** Searches that found nothing: days that are kept, and how often one must occur to be shown, so that it tells of nobody. */
export const MISSED_DAYS = 90;
export const MISSED_SHOWN_FROM = 5;
/** Where somebody came from to a plugin. */
export const SOURCES = [
  'search',
  'home',
  'tag',
  'collection',
  'publisher',
  'related',
  'direct',
  'tool',
] as const;
export type Source = (typeof SOURCES)[number];
/** People below which keywords and cohorts are not told, so that they tell of nobody. */
export const INSIGHT_PEOPLE_MIN = 5;
/** Days within which an account used the site or a tool if its installs are active. */
export const ACTIVE_DAYS = 30;
/** Weeks after which it is counted who still has a plugin. */
export const KEPT_WEEKS = [1, 2, 4, 8] as const;
/** Tables of statistics that can be downloaded. */
export const INSIGHT_TABLES = ['days', 'sources', 'keywords', 'versions', 'retention'] as const;
export type InsightTable = (typeof INSIGHT_TABLES)[number];
export const INFINITE_SCROLL = { delay: 200, distance: 0, mutationThrottle: 50 } as const;

/** Days. */
export const UPDATE_AGE_MAX = 90;

export const SORT_LATEST = 0;
export const SORT_POPULAR = 1;
/** By what fits the keyword best; without a keyword, the latest first. */
export const SORT_RELEVANCE = 2;

/** Filters of lists of plugins, as addresses name them. */
export const FILTER_NAMES = ['tags', 'reach', 'warnings', 'verified', 'editor', 'lang', 'updated'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];
/** How little a plugin reaches, from the least; each includes those before it. */
export const REACHES = ['nothing', 'offline', 'named'] as const;
/** How long ago a plugin was updated at most. */
export const UPDATED_WITHIN = ['week', 'month', 'year'] as const;
/** Tags that a list is filtered by at once; more leave nothing to show. */
export const FILTER_TAGS_MAX = 5;

/** The entry the client puts before the tags of the server (R 3.2). */
export const ALL_TAG_ID = 0;
export const ALL_TAG_CODE = 'quanbu';

export const PRAISE_LIKE = 1;
export const PRAISE_UNLIKE = -1;

export const AUDIT_ALL = 0;
export const AUDIT_WAITING = 1;
export const AUDIT_PASSED = 2;
export const AUDIT_REFUSED = 3;

export const ROLE_USER = 0;
export const ROLE_SUPER_ADMIN = 1;
export const ROLE_ADMIN = 2;

export const PAGE_SIZE = 24;
export const PAGE_SIZE_MAX = 100;
/** Plugins of a publisher in their feed. */
export const PUBLISHER_NEWS = 50;
export const BACKSTAGE_PAGE_SIZE = 20;

/** Lengths in code points (R 5.10). */
export const TEXT_LIMITS = {
  name: 64,
  intro: 120,
  description: 5000,
  contact: 120,
  support: 5000,
  version_note: 2000,
  reason: 500,
  keyword: 64,
  tag: 40,
  tag_intro: 300,
  mark: 24,
  about: 1000,
  license: 120,
  link: 300,
  data_collected: 500,
} as const;

/** What publishers choose for the address of their page. */
export const HANDLE_PATTERN = '^[a-z0-9]+(-[a-z0-9]+)*$';
export const HANDLE_LENGTHS = { min: 3, max: 32 } as const;
/** Links that publishers show on their page, and the length of each. */
export const PUBLISHER_LINKS = { max: 5, length: 300 } as const;

/** Longest domain name (RFC 1035), and what may be typed around it. */
export const DOMAIN_LENGTH = 260;
/** Where a domain says whose it is: a TXT record below it, or a text of its website with one token a line. */
export const PROOF_RECORD = '_plugin-square';
export const PROOF_PREFIX = 'plugin-square-verification=';
export const PROOF_PATH = '/.well-known/plugin-square';
export const PROOF_WAYS = ['dns', 'well_known'] as const;
export const PROOF_RESULTS = ['proved', 'missing', 'other_token', 'redirected', 'unreachable'] as const;
/** Days for which the mark stays while the proof is missing. */
export const PROOF_GRACE_DAYS = 7;

/** Help center: lengths in code points, and limits to numbers, because all articles are read at once. */
export const HELP_LIMITS = { title: 120, body: 10_000, name: 64, articles: 300, categories: 40 } as const;
/** Page of the help center, and base path of its articles (R 2.23). */
export const HELP_PATH = '/help/';

export const MEDIA_MAX = 3;

/** Ways in which a description is written. */
export const DESCRIPTION_FORMATS = ['plain', 'markdown'] as const;

/** Kinds of data that a publisher declares to collect; everything else is told in words. */
export const DATA_KINDS = ['account', 'usage', 'content'] as const;

/** Addresses that a listing leads to. */
export const LISTING_LINKS = ['home_page', 'source_url', 'issues_url'] as const;
const MEGABYTE = 1024 * 1024;
/** Size limits of a picture and a video; up to 25 MB are recommended for a video. */
/** What forms offer to choose. HEIC is not among it, so phones send their photos as JPEG. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif';
export const VIDEO_TYPES = 'video/mp4,video/webm,video/quicktime';
export const IMAGE_BYTES_MAX = 10 * MEGABYTE;
export const VIDEO_BYTES_MAX = 100 * MEGABYTE;
export const VIDEO_BYTES_ADVISED = 25 * MEGABYTE;
/** Pixel limits of a picture, and of an icon or QR code. */
export const IMAGE_PIXELS_MAX = 24_000_000;
export const ICON_PIXELS_MAX = 4_000_000;
/** Limit to the memory for decoding one picture, in bytes, as computed from its header. */
export const DECODED_BYTES_MAX = 162_000_000;

/** Batch import (R 6.13). */
export const BATCH_ITEMS_MAX = 50;
export const BATCH_BYTES_MAX = 100 * MEGABYTE;
export const TAGS_MAX = 5;
/** Limit to the number of tags. */
export const TAGS_TOTAL_MAX = 100;
/** Limit to the number of marks. */
export const MARKS_TOTAL_MAX = 50;
/** Colours of marks; each is a pair of tokens with sure contrast (web/ui/tokens.css). */
export const MARK_COLORS = ['gray', 'green', 'blue', 'violet', 'amber', 'red'] as const;
export type MarkColor = (typeof MARK_COLORS)[number];
/** Widths of stored pictures. Icons are shown at 36 to 80 pixels, so they are smaller. */
export const PICTURE_WIDTHS = [320, 640, 1280] as const;
/** Largest width of pictures on cards, in pixels, and the target size of these pictures in bytes. */
export const CARD_WIDTH_MAX = 640;
export const CARD_BYTES_MAX = 30_000;
export const ICON_WIDTHS = [64, 128, 320] as const;

/** Matches beyond this are counted as "10,000+" (`total_estimated`). */
export const TOTAL_EXACT_UP_TO = 10_000;
/** Queue positions above this number are shown as "more than". */
export const QUEUE_PLACES = 1000;

export const ACTIVITY_ID = 30;
export const ANALYTICS_PID = 9497;
export const CAROUSEL_STEP = 2000;
export const CAROUSEL_SLIDES = 4;
/** Limit to the number of featured works, including hidden ones. */
export const FEATURED_WORKS_MAX = 40;
export const HEADER_SCROLLED_FROM = 20;
export const HEADER_BANNER_OFFSET = 40;
export const COUNT_SHOWN_MAX = 9999;

/** Sent by the single-page application with every call; a cross-site page cannot set it without a preflight. */
export const REQUESTED_WITH_HEADER = 'x-requested-with';
export const REQUESTED_WITH = 'plugin-square';
/** Sent in its place by pages inside a design tool, whose sessions may do less. */
export const REQUESTED_IN_TOOL = 'plugin-square-in-tool';
export const PAGE_PATH_HEADER = 'x-page-path';

export const SESSION_REVALIDATE_AFTER = 5 * 60 * 1000;
/** Lifetime of a third-party sign-in that waits to be linked, at the user service and in the browser. */
export const BIND_LIFETIME = 15 * 60 * 1000;

/** Query parameter with the error code of a failed sign-in, for the page after the sign-in. */
export const LOGIN_ERROR_PARAMETER = 'login_error';
/** The same for our own sign-in page, after a failed sign-in at another provider. */
export const SSO_ERROR_PARAMETER = 'sso_error';
/** Type of the message of a sign-in window or frame to its page after a successful sign-in. */
export const SIGNED_IN_MESSAGE = 'plugin-square:signed-in';
/** The same after a failed sign-in; the message has a stable error code. */
export const SIGN_IN_FAILED_MESSAGE = 'plugin-square:sign-in-failed';
/** Types of messages of our own sign-in page in a frame: its height (`height`, CSS pixels), and a pressed Escape key. */
export const SIGN_IN_SHOWN_MESSAGE = 'plugin-square:sign-in-shown';
export const SIGN_IN_LEFT_MESSAGE = 'plugin-square:sign-in-left';
/**
 * Broadcast channel for the same messages of a sign-in window that the browser has separated from its opener, and the type
 * of the reply of a page that waits for it.
 */
export const SIGN_IN_CHANNEL = 'plugin-square:sign-in';
export const SIGNED_IN_HEARD_MESSAGE = 'plugin-square:signed-in-heard';
/** Query parameter (`1`) that opens a page with a new sign-in, even if a user is signed in. */
export const FORCE_PARAMETER = 'force';

/** The public page of removed plugins, and the same as an Atom feed (RFC 4287). */
export const REMOVED_PATH = `${BASE_PATH}removed`;
export const REMOVED_FEED_PATH = `${BASE_PATH}removed.atom`;
/** Atom feed of the latest plugins; `?tag_id=` for one tag. */
export const LATEST_FEED_PATH = `${BASE_PATH}latest.atom`;
/** Atom feed of the latest plugins of one publisher, `?publisher_id=`. */
export const PUBLISHER_FEED_PATH = `${BASE_PATH}publisher.atom`;
/** Atom feed of a plugin's versions, below the path of its page. */
export const VERSIONS_FEED_FILE = 'versions.atom';

/** Why administrators withdraw a plugin or a version. */
export const WITHDRAWAL_REASONS = ['malware', 'vulnerable', 'policy', 'legal', 'publisher'] as const;
export type WithdrawalReason = (typeof WITHDRAWAL_REASONS)[number];

/** Pages of publishers, by handle, and the page where publishers write theirs. */
export const PUBLISHER_PATH = `${BASE_PATH}publisher/`;
export const PROFILE_PATH = `${BASE_PATH}my-plugins/profile`;

/** Kinds of notices that are also mailed, unless a user chooses otherwise. */
export const MAILED_NOTICE_KINDS = [
  'submitted',
  'approved',
  'rejected',
  'report_decided',
  'plugin_warned',
  'plugin_hidden',
  'plugin_withdrawn',
  'plugin_deprecated',
  'verification_failing',
  'verification_ended',
  'verification_given',
  'verification_taken',
  'installed_withdrawn',
  'role_changed',
  'token_ending',
] as const;
/** What followers are told: a new version of a plugin, a new plugin of a publisher, a new plugin of a tag. */
export const FOLLOW_NOTICE_KINDS = ['followed_version', 'followed_publisher', 'followed_tag'] as const;
/** All kinds. Of the others all users or followers of a plugin are told, and nothing is urgent: mails would hold up others. */
export const NOTICE_KINDS = [
  ...MAILED_NOTICE_KINDS,
  'installed_deprecated',
  'profile_hidden',
  ...FOLLOW_NOTICE_KINDS,
] as const;
/** The page with collections; those of the editors are below it. */
export const COLLECTIONS_PATH = `${BASE_PATH}collections`;

/** Who may read a collection: its owner, everybody who knows the address, everybody. */
export const COLLECTION_ACCESS = ['private', 'link', 'public'] as const;
export type CollectionAccess = (typeof COLLECTION_ACCESS)[number];
/** Collections: lengths in code points, collections of a user, plugins of one. */
export const COLLECTION_LIMITS = { title: 64, description: 500, collections: 100, plugins: 200 } as const;
/** The last part of the address of an editors' collection: its form, and its length at most. */
export const COLLECTION_SLUG = { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', max: 64 } as const;
/** Onboarding kits: lengths in code points, kits of a site, plugins of one. */
export const KIT_LIMITS = { name: 64, department: 100, kits: 50, plugins: 50 } as const;
/** Limit to what a user can follow. */
export const FOLLOWS_MAX = 500;
