import type { QueryClient } from '@tanstack/react-query';
import type { Operation } from '../../shared/contract.ts';
import { invalidate } from './invalidate.ts';

/** The rows of plugins on home and on the pages of tags. */
const SHORT_LISTS = ['listRecommended', 'listTrending', 'readTagPage'] as const;
/** Signing out everywhere revokes tokens. */
const MEMBERS = ['listMembers', 'listMemberChanges', 'countManagedTokens', 'listManagedTokens'] as const;
const TOOLS = ['listTools', 'listToolChanges', 'listConnectedTools'] as const;
const MANAGED_PLUGINS = ['listManagedPlugins'] as const;
const WITHDRAWALS = [
  'listManagedPlugins',
  'listVersions',
  'readPlugin',
  'listRemoved',
  'readPublisherReach',
  'listWithdrawalProposals',
] as const;
const SLOTS = ['listSlots'] as const;
const BANNERS = ['listManagedBanners'] as const;
const WORKS = ['listManagedWorks', 'listFeaturedWorks'] as const;
const ACTIVITY = ['readManagedActivity', 'readActivity'] as const;
const QR_CODES = ['listQrCodes'] as const;
const TAGS = ['listManagedTags', 'listTags', 'readTagPage'] as const;
const MARKS = ['listManagedMarks', 'listManagedPlugins'] as const;
const HELP = ['listManagedArticles', 'listManagedCategories', 'readManagedArticle'] as const;
const COLLECTIONS = [
  'listOwnCollections',
  'readCollection',
  'readEditorsCollection',
  'listPublicCollections',
  'listEditorsCollections',
  'listCollectionsWith',
  'listManagedCollections',
] as const;
const KITS = ['listKits', 'readKit'] as const;
const SUBMITTED = [
  'listOwnPlugins',
  'readEditablePlugin',
  'readPublishRules',
  'readPlugin',
  'listVersions',
] as const;

/** What has to be read again after an operation, wherever a page shows it. */
export const AFFECTED: Readonly<Partial<Record<Operation, readonly Operation[]>>> = {
  praisePlugin: ['readPlugin'],
  installPlugin: ['readPlugin'],
  uninstallPlugin: ['readPlugin'],
  acceptUpdate: ['readPlugin', 'listInstalled'],
  moveToSuccessor: ['readPlugin', 'listInstalled', 'listPlugins', ...SHORT_LISTS, 'listLiked'],
  deprecatePlugin: [
    'readDeprecation',
    'readPlugin',
    'listPlugins',
    ...SHORT_LISTS,
    'listOwnPlugins',
    'listInstalled',
    'listManagedPlugins',
  ],
  holdUpdates: ['readPlugin', 'listInstalled'],
  changeUpdateAge: ['readUpdateAge', 'readPlugin', 'listInstalled'],
  readNotices: ['listNotices', 'countNotices'],
  follow: ['readFollowed'],
  saveCollection: COLLECTIONS,
  deleteCollection: ['listOwnCollections', 'listPublicCollections', 'listCollectionsWith'],
  collectPlugin: COLLECTIONS,
  orderCollection: COLLECTIONS,
  installCollection: [
    'readCollection',
    'readEditorsCollection',
    'readPlugin',
    'listInstalled',
    'listPlugins',
    ...SHORT_LISTS,
  ],
  hideCollection: ['listReportedCollections', ...COLLECTIONS],
  saveManagedCollection: COLLECTIONS,
  orderManagedCollections: COLLECTIONS,
  deleteManagedCollection: ['listManagedCollections', 'listEditorsCollections', 'listCollectionsWith'],
  changeNoticePreferences: ['readNoticePreferences'],
  setOwnDomain: ['readOwnVerification', 'readPublisher', 'readPlugin', 'listPlugins'],
  checkOwnDomain: ['readOwnVerification', 'readPublisher', 'readPlugin', 'listPlugins'],
  removeOwnDomain: ['readOwnVerification', 'readPublisher', 'readPlugin', 'listPlugins'],
  updateOwnProfile: ['readOwnProfile', 'readPublisher', 'readPlugin', 'listPlugins'],

  publishPlugin: SUBMITTED,
  updatePlugin: SUBMITTED,
  uploadBatch: ['listOwnPlugins', 'listVersions', 'readPublishRules'],
  changeVersion: ['listVersions', 'readPlugin', 'listOwnPlugins', 'listPlugins'],
  deletePlugin: [
    'listOwnPlugins',
    'listInstalled',
    'listLiked',
    'listPlugins',
    ...SHORT_LISTS,
    'readPlugin',
    'listPublishTokens',
    'listManagedPlugins',
  ],
  createPublishToken: ['readProof'],
  revokePublishToken: ['listPublishTokens'],

  changePassword: ['listOwnSessions', 'listConnectedTools'],
  askNewAddress: ['readAddress'],
  changeMailPreferences: ['readMailPreferences'],
  endOwnSession: ['listOwnSessions'],
  endOtherSessions: ['listOwnSessions', 'listConnectedTools'],
  disconnectTool: ['listConnectedTools'],
  removeLinkedSignIn: ['listLinkedSignIns'],
  exportAccount: ['readProof'],

  decideAudit: ['readAudit', 'listAudits', 'listManagedPlugins'],
  decideReport: ['listReports', ...WITHDRAWALS],
  dismissPublisherReport: ['listPublisherReports'],
  hideProfile: ['readPublisher', 'listPublisherReports'],
  decideVerification: ['readPublisher', 'listVerified'],
  hidePlugin: MANAGED_PLUGINS,
  recommendPlugin: MANAGED_PLUGINS,
  setSilentInstall: MANAGED_PLUGINS,
  orderRecommended: MANAGED_PLUGINS,
  saveKit: KITS,
  deleteKit: ['listKits'],
  setKitPlugin: KITS,
  orderKit: KITS,
  withdrawPlugin: WITHDRAWALS,
  withdrawPublisher: WITHDRAWALS,
  confirmWithdrawal: WITHDRAWALS,
  callOffWithdrawal: ['listWithdrawalProposals'],
  markPlugin: MARKS,

  addSlot: SLOTS,
  changeSlot: SLOTS,
  disableSlot: SLOTS,
  saveBanner: BANNERS,
  orderBanners: BANNERS,
  deleteBanner: BANNERS,
  saveWork: WORKS,
  orderWorks: WORKS,
  deleteWork: WORKS,
  saveActivity: ACTIVITY,
  deleteActivity: ACTIVITY,
  saveQrCode: QR_CODES,
  deleteQrCode: QR_CODES,
  saveTag: TAGS,
  orderTags: TAGS,
  mergeTags: TAGS,
  deleteTag: TAGS,
  saveMark: MARKS,
  orderMarks: MARKS,
  deleteMark: MARKS,
  addHelpArticle: HELP,
  changeHelpArticle: HELP,
  orderHelpArticles: HELP,
  addHelpCategory: HELP,
  changeHelpCategory: HELP,
  orderHelpCategories: HELP,
  deleteHelpCategory: HELP,
  deleteHelpArticle: HELP,

  inviteMember: MEMBERS,
  disableMember: MEMBERS,
  signOutMember: MEMBERS,
  removeMemberSecondFactor: MEMBERS,
  changeMemberRole: MEMBERS,
  makePasswordLink: MEMBERS,
  registerTool: TOOLS,
  changeTool: TOOLS,
  removeTool: TOOLS,
  revokeManagedToken: ['listManagedTokens', 'countManagedTokens'],
  revokeManagedTokens: ['listManagedTokens', 'countManagedTokens'],
};

/** Reads again what an operation has changed: what the page shows at once, the rest when it is shown. */
export async function invalidateAfter(client: QueryClient, operation: Operation): Promise<void> {
  const affected: readonly unknown[] = AFFECTED[operation] ?? [];
  if (affected.length === 0) return;
  await invalidate(client, { predicate: ({ queryKey }) => affected.includes(queryKey[0]) });
}
