import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Check } from 'typebox/value';
import { contract } from '../../../shared/contract.ts';
import { PluginKey } from '../../../shared/entities/base.ts';
import type { PublishResult, PublishRules } from '../../../shared/entities/review.ts';
import { isLanguage } from '../../../shared/languages.ts';
import { implement } from '../../http/implement.ts';
import { type Caller, callerOf, isAdmin } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { type FormCall, implementForm } from '../forms/implement-form.ts';
import type { ReadPlainText } from '../forms/parse-fields.ts';
import { languageOf } from '../language.ts';
import type { PackageCheck } from '../packages/package-check.ts';
import { refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { readNamedTags } from '../tags/store.ts';
import { type MediaParts, PLUGIN_FILES } from './check-media.ts';
import { CHECKED_WITH_LISTING, checkSubmission } from './check-submission.ts';
import { isLimited, readUsedLimits, type Tries } from './limits.ts';
import { readStoredBytes } from './store.ts';
import { readSnapshot } from './submission.ts';
import { previewSubmission, type StoreParts, type SubmitParts, storeAndSubmit } from './submit.ts';

type PublishParts = StoreParts & MediaParts & { packages: PackageCheck; tries: Tries; dataDir: string };

type Call = FormCall<typeof contract.publishPlugin, typeof PLUGIN_FILES>;

/** Publishing and editing plugins, and what a publisher is held to. */
export function publishRoutes(app: FastifyInstance, guards: Guards, parts: PublishParts): void {
  const options = {
    dataDir: parts.dataDir,
    files: PLUGIN_FILES,
    checkedByHandler: CHECKED_WITH_LISTING,
    plainTexts: (raw: ReadonlyMap<string, unknown>, request: FastifyRequest) =>
      readPlainTexts(parts.submitting.db, raw, request),
  };
  implementForm(app, guards.publishToken, contract.publishPlugin, options, (call) =>
    submitForm(parts, call, true),
  );
  implementForm(app, guards.publishToken, contract.updatePlugin, options, (call) => {
    if (call.fields.plugin_key === undefined) {
      throw refusedAt('/plugin_key', 'is missing');
    }
    return submitForm(parts, call, false);
  });
  implement(app, guards.publisher, contract.readPublishRules, ({ request }) =>
    readRules(parts.submitting, callerOf(request)),
  );
}

async function submitForm(parts: PublishParts, call: Call, needsPackage: boolean): Promise<PublishResult> {
  const { fields, files, query, request, gone } = call;
  const { db } = parts.submitting;
  const caller = callerOf(request);
  parts.tries.hold(caller);
  const { plugin_key: key } = fields;
  const snapshot = key === undefined ? null : await readSnapshot(db, key, caller);
  const language = languageOf(request);
  const checked = await checkSubmission(
    { db, ...parts },
    { caller, snapshot, needsPackage, fields, files, language, gone },
  );
  if (query.dry_run) return previewSubmission(parts.submitting, checked.submission);
  return storeAndSubmit(parts, checked);
}

/** A plain text is the one of the default language; the plugin's other languages stay as they were. */
async function readPlainTexts(
  db: Db,
  raw: ReadonlyMap<string, unknown>,
  request: FastifyRequest,
): Promise<ReadPlainText> {
  const key = raw.get('plugin_key');
  const listing = Check(PluginKey, key)
    ? (await readSnapshot(db, key, callerOf(request))).last.listing
    : undefined;
  const named = raw.get('default_lang');
  const isNamed = typeof named === 'string' && isLanguage(named);
  const language = isNamed ? named : (listing?.default_lang ?? languageOf(request));
  return (field, text) => {
    const isKept = field === 'name' || field === 'intro' || field === 'description';
    return { ...(isKept && listing?.[field]), [language]: text };
  };
}

async function readRules({ db, quotas, now }: SubmitParts, caller: Caller): Promise<PublishRules> {
  const [limits, used_bytes, tags] = await Promise.all([
    readUsedLimits(db, caller.user_id, quotas.limits, now()),
    readStoredBytes(db, caller.user_id),
    readNamedTags(db),
  ]);
  return {
    may_mark: isAdmin(caller),
    is_limited: isLimited(caller),
    limits: limits.map(({ max, window, used }) => ({ max, window_seconds: window / 1000, used })),
    quota_bytes: quotas.quotaBytes,
    used_bytes,
    tag_list: tags
      .filter(({ is_hidden }) => !is_hidden)
      .map(({ code, names }) => ({ code, names: [...names] })),
  };
}
