import { QueryClientProvider } from '@tanstack/react-query';
import { type Context, createElement } from 'react';
import { renderToString } from 'react-dom/server';
import tap from 'tap';
import type { PluginCard } from '../../../../shared/entities/plugin.ts';
import { createQueryClient } from '../../../../web/api/query-client.ts';
import { likedQuery } from '../../../../web/features/own-plugins/own-plugins-queries.ts';
import {
  pluginQuery,
  pluginsQuery,
  recommendedQuery,
} from '../../../../web/features/plugins/plugin-queries.ts';
import type { Viewer } from '../../../../web/features/plugins/viewer-context.ts';
import type { ShowToast, ToastMessage } from '../../../../web/ui/toast/toast-context.ts';
import { until } from '../../../support/until.ts';
import { pluginAt, pluginDetailOf } from '../../support/answers.ts';
import { webSources, withKeysAsTexts } from '../../support/sources.ts';

type Mutation = typeof import('../../../../web/features/plugins/plugin-mutation.tsx');
type Change = ReturnType<Mutation['usePluginChange']>['change'];

const load = await webSources(tap);
const mutation = await load('/features/plugins/plugin-mutation.tsx');
const usePluginChange: Mutation['usePluginChange'] = mutation.usePluginChange;
const pendingActionText: Mutation['pendingActionText'] = mutation.pendingActionText;
const readPendingAction: Mutation['readPendingAction'] = mutation.readPendingAction;
const ViewerContext: Context<Viewer> = (await load('/features/plugins/viewer-context.ts')).ViewerContext;
const ToastContext: Context<ShowToast> = (await load('/ui/toast/toast-context.ts')).ToastContext;
const Texts = await withKeysAsTexts(load);

const FILTER = { keyword: '', tag_id: 0 } as const;
const PLUGIN: PluginCard = { ...pluginAt(1), praise_count: 7, install_count: 30 };
const OTHER = pluginAt(2);

/** The parts of a browser that calls need. */
const BROWSER = { document: { documentElement: { lang: 'en-US' } }, location: { pathname: '/plugins/' } };

/** A sent call, and the function that responds to it. */
type Sent = { path: string; body: unknown; answer: (status: number, body: unknown) => void };

/** A page with two plugins whose calls wait for the test to respond. */
function page(t: Pick<typeof tap, 'teardown'>, { signedIn = true }: { signedIn?: boolean } = {}) {
  const sent: Sent[] = [];
  const toasts: ToastMessage[] = [];
  const signIns: (string | undefined)[] = [];
  const reads: { operation: string; answer: (data: unknown) => void }[] = [];
  const client = createQueryClient((operation) => new Promise((answer) => reads.push({ operation, answer })));
  client.setQueryData(pluginsQuery(FILTER).queryKey, {
    pages: [
      { total: 2, total_estimated: false, next_cursor: 'next', plugin_list: [OTHER] },
      { total: 2, total_estimated: false, next_cursor: null, plugin_list: [PLUGIN] },
    ],
    pageParams: [null, 'next'],
  });
  client.setQueryData(recommendedQuery(1).queryKey, { plugin_list: [PLUGIN, OTHER], page_count: 1 });
  client.setQueryData(pluginQuery(PLUGIN.plugin_key).queryKey, pluginDetailOf(PLUGIN));
  const liked = { plugin: PLUGIN, is_available: true, liked_at: '2026-05-20T00:00:00Z' };
  client.setQueryData(likedQuery().queryKey, {
    pages: [{ total: 1, total_estimated: false, next_cursor: null, plugin_list: [liked] }],
    pageParams: [null],
  });

  const fetch = (path: string, { body }: { body: string }): Promise<Response> =>
    new Promise((resolve) => {
      const answer: Sent['answer'] = (status, data) =>
        resolve(new Response(JSON.stringify(data), { status }));
      sent.push({ path, body: JSON.parse(body), answer });
    });
  Object.assign(globalThis, { ...BROWSER, fetch });
  t.teardown(() => client.clear());

  const shown = (key = PLUGIN.plugin_key): PluginCard[] =>
    [
      ...(client.getQueryData(pluginsQuery(FILTER).queryKey)?.pages ?? []).flatMap(
        ({ plugin_list }) => plugin_list,
      ),
      ...(client.getQueryData(recommendedQuery(1).queryKey)?.plugin_list ?? []),
      ...(client.getQueryData(likedQuery().queryKey)?.pages ?? []).flatMap(({ plugin_list }) =>
        plugin_list.map(({ plugin }) => plugin),
      ),
      ...[client.getQueryData(pluginQuery(key).queryKey) ?? []].flat(),
    ].filter(({ plugin_key }) => plugin_key === key);
  /** Actions of the plugin's buttons in its current state. */
  function button(plugin = shown()[0] ?? PLUGIN): Change {
    let change: Change | undefined;
    const Button = () => {
      change = usePluginChange(plugin).change;
      return null;
    };
    const viewer: Viewer = {
      signedIn,
      startSignIn: (action) => signIns.push(action),
      collect: () => undefined,
      pendingDialog: undefined,
      onDialogOpened: () => undefined,
    };
    renderToString(
      createElement(
        QueryClientProvider,
        { client },
        createElement(Texts, {
          children: createElement(
            ViewerContext,
            { value: viewer },
            createElement(
              ToastContext,
              { value: (toast: ToastMessage) => toasts.push(toast) },
              createElement(Button),
            ),
          ),
        }),
      ),
    );
    if (!change) throw new Error('the button was not rendered');
    return change;
  }
  /** Liked, likes, installed, installs: the same wherever the plugin is on screen. */
  function state(key?: string) {
    const all = shown(key).map(({ is_praise, praise_count, is_installed, install_count }) =>
      JSON.stringify([is_praise, praise_count, is_installed, install_count]),
    );
    return [...new Set(all)].join(' and ');
  }
  const call = async (number: number): Promise<Sent> => {
    await until(() => sent.length >= number);
    const found = sent[number - 1];
    if (!found) throw new Error('not sent');
    return found;
  };
  /** Waits for all changes to settle. */
  const settled = () => until(() => client.isMutating() === 0);
  return { client, button, state, sent, call, settled, toasts, signIns, reads };
}

const done = (fields: Partial<PluginCard>) => ({
  code: 0,
  message: 'OK',
  data: { plugin_key: PLUGIN.plugin_key, ...fields },
});
const REFUSED = { code: 'INTERNAL', message: 'An unexpected error occurred.' };

tap.test('a like is shown immediately wherever the plugin is, then the state from the service', async (t) => {
  const { button, state, call, settled, toasts } = page(t);
  button()('like');
  const { path, body, answer } = await call(1);
  t.strictSame([path, body], ['/api/cmt/plugin/user/praise', { plugin_key: PLUGIN.plugin_key, praise: 1 }]);
  t.equal(state(), '[1,8,false,30]');
  t.strictSame(toasts, []);
  answer(200, done({ is_praise: 1, praise_count: 12, is_installed: false, install_count: 31 }));
  await settled();
  t.strictSame(toasts, [{ kind: 'success', text: 'toast.liked' }]);
  t.equal(state(), '[1,12,false,31]');
});

tap.test('a rejected change is rolled back everywhere and reported', async (t) => {
  const { button, state, call, settled, toasts } = page(t);
  const before = state();
  button()('like');
  (await call(1)).answer(500, REFUSED);
  await settled();
  t.strictSame(toasts, [{ kind: 'failure', text: 'toast.like_failed' }]);
  t.equal(state(), before);

  button()('install');
  const { path, body, answer } = await call(2);
  t.strictSame([path, body], ['/api/cmt/plugin/user', { plugin_key: PLUGIN.plugin_key }]);
  t.equal(state(), '[-1,7,true,31]');
  answer(500, REFUSED);
  await settled();
  t.strictSame(toasts[1], { kind: 'failure', text: 'toast.install_failed' });
  t.equal(state(), before);
});

tap.test('changes of one plugin are sent in sequence, those of different plugins in parallel', async (t) => {
  const { button, state, sent, call, settled, toasts } = page(t);
  button()('like');
  button()('unlike');
  button(OTHER)('like');
  await call(2);
  t.strictSame(
    sent.map(({ body }) => body),
    [
      { plugin_key: PLUGIN.plugin_key, praise: 1 },
      { plugin_key: OTHER.plugin_key, praise: 1 },
    ],
  );
  t.equal(state(), '[-1,7,false,30]', 'the last change');
  sent[0]?.answer(200, done({ is_praise: 1, praise_count: 8, is_installed: false, install_count: 30 }));
  const last = await call(3);
  t.strictSame(last.body, { plugin_key: PLUGIN.plugin_key, praise: -1 });
  t.equal(state(), '[-1,7,false,30]', 'the first response does not undo the second change');
  last.answer(200, done({ is_praise: -1, praise_count: 7, is_installed: false, install_count: 30 }));
  const other = { plugin_key: OTHER.plugin_key, is_praise: 1, praise_count: 75 } as const;
  sent[1]?.answer(200, done(other));
  await settled();
  t.strictSame(
    toasts.map(({ text }) => text),
    ['toast.liked', 'toast.unliked', 'toast.liked'],
  );
});

tap.test('of two changes only the rejected one is rolled back', async (t) => {
  const { button, state, call, settled } = page(t);
  button()('like');
  button()('install');
  const first = await call(1);
  t.equal(state(), '[1,8,true,31]');
  first.answer(500, REFUSED);
  const second = await call(2);
  t.equal(state(), '[-1,7,true,31]', 'the pending install stays');
  second.answer(200, done({ is_praise: -1, praise_count: 7, is_installed: true, install_count: 31 }));
  await settled();
  t.equal(state(), '[-1,7,true,31]');
});

tap.test('a failed change rolls back to the last confirmed state', async (t) => {
  const { button, state, call, settled } = page(t);
  button()('install');
  button()('like');
  const first = { is_praise: -1, praise_count: 9, is_installed: true, install_count: 40 } as const;
  (await call(1)).answer(200, done(first));
  const second = await call(2);
  t.equal(state(), '[1,10,true,40]');
  second.answer(500, REFUSED);
  await settled();
  t.equal(state(), '[-1,9,true,40]');
});

tap.test('a running list query does not overwrite a change with older data', async (t) => {
  const { client, button, state, call, reads } = page(t);
  const options = { ...pluginQuery(PLUGIN.plugin_key), staleTime: 0 };
  const ended = client.fetchQuery(options);
  const { operation, answer } = await until(() => reads[0]);
  t.equal(operation, 'readPlugin');
  button()('like');
  await call(1);
  answer(pluginDetailOf(PLUGIN));
  await ended;
  t.equal(state(), '[1,8,false,30]');
});

tap.test('the first load of a list is not cancelled by a change', async (t) => {
  const { client, button, call, reads } = page(t);
  const loading = client.fetchQuery(recommendedQuery(2));
  const { answer } = await until(() => reads[0]);
  button()('like');
  await call(1);
  answer({ plugin_list: [OTHER], page_count: 2 });
  t.strictSame(await loading, { plugin_list: [OTHER], page_count: 2 });
});

tap.test('an install of a version that is no longer the latest says so', async (t) => {
  const { button, call, settled, toasts } = page(t);
  button()('install');
  (await call(1)).answer(409, { code: 'CONFLICT', message: 'There is a later version.' });
  await settled();
  t.strictSame(toasts, [{ kind: 'failure', text: 'toast.install_changed' }]);
  button()('like');
  (await call(2)).answer(409, { code: 'CONFLICT', message: 'Not now.' });
  await settled();
  t.match(toasts[1]?.text, 'toast.like_failed');
});

tap.test('a pending action is read as it was written, and nothing else is', async (t) => {
  const install = { name: 'install', pluginKey: 'grid-maker', seenVersion: '1.0.0-a b+7%' } as const;
  t.strictSame(readPendingAction(pendingActionText(install)), install);
  const found = { name: 'install', pluginKey: 'grid-maker', source: 'search' } as const;
  t.strictSame(readPendingAction(pendingActionText(found)), found);
  const like = { name: 'like', pluginKey: 'grid-maker' } as const;
  t.strictSame(readPendingAction(pendingActionText(like)), like);
  for (const text of ['', 'like', 'like ', 'buy grid-maker', 'install grid-maker 1.0.0 x'])
    t.equal(readPendingAction(text), undefined, text);
});

tap.test('an expired session leads to sign-in, and the change becomes a pending action', async (t) => {
  const { button, state, call, settled, toasts, signIns } = page(t);
  const before = state();
  button()('like');
  (await call(1)).answer(401, { code: 'SESSION_ENDED', message: 'Your session has ended.' });
  await settled();
  t.strictSame(signIns, [`like ${PLUGIN.plugin_key}`]);
  t.equal(state(), before);
  t.strictSame(toasts, []);
});

tap.test('visitors are asked to sign in, and nothing is shown or sent', async (t) => {
  const { button, state, sent, signIns } = page(t, { signedIn: false });
  const before = state();
  button()('install');
  t.strictSame(signIns, [`install ${PLUGIN.plugin_key}`]);
  t.strictSame(sent, []);
  t.equal(state(), before);
});

tap.test('no count becomes negative', async (t) => {
  const { button, state, call } = page(t);
  button({ ...OTHER, is_praise: 1, praise_count: 0 })('unlike');
  await call(1);
  t.equal(state(OTHER.plugin_key), '[-1,0,false,1822]');
});
