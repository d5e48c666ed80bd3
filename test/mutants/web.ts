import type { Fault } from './fault.ts';

const MUTATION = 'web/features/plugins/plugin-mutation.tsx';
const MUTATION_TEST = ['test/web/features/plugins/plugin-mutation.test.ts'];
const GATE = 'web/pages/access-gate/access-gate.tsx';
const GATE_TEST = ['test/web/pages/sign-in.test.ts'];
const CONSENT_TEST = ['test/web/features/consent.test.ts'];

/** Faults that visitors notice: rollback, access, consent. */
export const WEB_FAULTS: readonly Fault[] = [
  {
    file: MUTATION,
    text: '...answer }) : before;',
    replacement: '...answer }) : stateOf(CHANGES[name].optimistic(before));',
    tests: MUTATION_TEST,
    why: 'a rejected like stays on screen',
  },
  {
    file: MUTATION,
    text: 'pending.reduce((state, name) => CHANGES[name].optimistic(state), confirmed)',
    replacement: 'confirmed',
    tests: MUTATION_TEST,
    why: 'a click shows nothing before the response',
  },
  {
    file: MUTATION,
    text: '    scope: { id: `plugin ${pluginKey}` },\n',
    replacement: '',
    tests: MUTATION_TEST,
    why: 'like and unlike are sent in the wrong order',
  },
  {
    file: MUTATION,
    text: '      await cancelPluginQueries(client);\n',
    replacement: '',
    tests: MUTATION_TEST,
    why: 'a running list query overwrites a like',
  },
  {
    file: MUTATION,
    text: 'if (isUnauthenticated(error)) return signIn(',
    replacement: 'if (error.status === 0) return signIn(',
    tests: MUTATION_TEST,
    why: 'an expired session is a failure without a way to sign in',
  },
  {
    file: 'web/features/plugins/plugin-cache.ts',
    text: 'pages: data.pages.map((page) => ({ ...page, plugin_list: inList(page.plugin_list) })),',
    replacement:
      'pages: data.pages.map((page, at) => (at === 0 ? { ...page, plugin_list: inList(page.plugin_list) } : page)),',
    tests: MUTATION_TEST,
    why: 'a like is only shown on the first page of a list',
  },
  {
    file: 'web/features/plugins/plugin-cache.ts',
    text: "['listInstalled', 'listLiked'] as const",
    replacement: "['listInstalled'] as const",
    tests: MUTATION_TEST,
    why: 'the list of liked plugins shows the state before a change',
  },
  {
    file: 'web/features/plugins/plugin-cache.ts',
    text: ' && state.data !== undefined;',
    replacement: ' && state !== undefined;',
    tests: MUTATION_TEST,
    why: 'a click cancels the first load of a list, which stays empty',
  },
  {
    file: MUTATION,
    text: 'decodeURIComponent(seenVersion)',
    replacement: 'seenVersion',
    tests: MUTATION_TEST,
    why: 'a pending install names a version that does not exist',
  },
  {
    file: MUTATION,
    text: "isOutdated ? t('install_changed') : ",
    replacement: '',
    tests: MUTATION_TEST,
    why: 'users do not learn that there is a later version to look at',
  },
  {
    file: GATE,
    text: 'publisher: ({ may_publish }) => may_publish,',
    replacement: 'publisher: () => true,',
    tests: GATE_TEST,
    why: 'users without permission fill in a form that is rejected',
  },
  {
    file: GATE,
    text: "status === 'anonymous' || Boolean(viewer.error && isUnauthenticated(viewer.error))",
    replacement: "status === 'anonymous'",
    tests: GATE_TEST,
    why: 'a page whose session has ended shows an error instead of sign-in',
  },
  {
    file: 'web/layout/privacy-controls.tsx',
    text: "consent === 'marketing')",
    replacement: 'consent !== undefined)',
    tests: CONSENT_TEST,
    why: 'visitors without consent are tracked',
  },
  {
    file: 'web/features/consent/consent.ts',
    text: 'texts.includes(`${CONSENT_COOKIE}=${consent}`)',
    replacement: 'texts.some((text) => text.endsWith(`${CONSENT_COOKIE}=${consent}`))',
    tests: CONSENT_TEST,
    why: 'another cookie counts as consent',
  },
  {
    file: 'web/features/consent/consent.ts',
    text: 'unstored = consentIn(document.cookie) === undefined ? consent : undefined;',
    replacement: '',
    tests: CONSENT_TEST,
    why: 'the banner returns on every click if the browser rejects cookies',
  },
];
