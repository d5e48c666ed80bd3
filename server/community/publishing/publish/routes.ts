import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Check } from 'typebox/value';
import { contract } from '../../../../shared/contract.ts';
import { PluginKey } from '../../../../shared/entities/base.ts';
import type { PublishResult, PublishRules } from '../../../../shared/entities/review.ts';
import { isLanguage, type Texts } from '../../../../shared/languages.ts';
import { implement } from '../../../http/implement.ts';
import { readNamedTags } from '../../catalogue/tags/store.ts';
import { writtenDescription } from '../../descriptions.ts';
import { type FormCall, implementForm } from '../../files/forms/implement-form.ts';
import type { ReadPlainText } from '../../files/forms/parse-fields.ts';
import { languageOf } from '../../language.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { canMark, canPublishUnlimited } from '../../people/policy.ts';
import { refusedAt } from '../../plain-text.ts';
import { supportOf } from '../../support-texts.ts';
import { PLUGIN_FILES } from './check-media.ts';
import { CHECKED_WITH_LISTING, checkSubmission } from './check-submission.ts';
import { countedBy, usedLimits } from './limits.ts';
import { readPublisher } from './store.ts';
import { type PluginSnapshot, readSnapshot, type SubmitDependencies } from './submission.ts';
import { type PublishDependencies, storeAndSubmit } from './submit.ts';

type Call = FormCall<typeof contract.publishPlugin, typeof PLUGIN_FILES>;

/** Name of the request's decorator for the plugin of a form, which is read before the fields and checked after them. */
const SNAPSHOT = 'pluginSnapshot';

/** Publishing and editing of plugins, and the limits of publishers. */
export function publishRoutes(app: FastifyInstance, dependencies: PublishDependencies): void {
  app.decorateRequest(SNAPSHOT, null);
  const options = {
    dataDir: dependencies.dataDir,
    files: PLUGIN_FILES,
    checkedByHandler: CHECKED_WITH_LISTING,
    plainTexts: (raw: ReadonlyMap<string, unknown>, request: FastifyRequest) =>
      readPlainTexts(dependencies, raw, request),
  };
  implementForm(app, contract.publishPlugin, options, (call) => submitForm(dependencies, call, true));
  implementForm(app, contract.updatePlugin, options, (call) => {
    if (call.fields.plugin_key === undefined) {
      throw refusedAt('/plugin_key', 'is missing');
    }
    return submitForm(dependencies, call, false);
  });
  implement(app, contract.previewDescription, async ({ body, request }) => {
    const language = languageOf(request);
    const { read, findings } = await dependencies.descriptions.read({ [language]: body.description });
    if (findings.length > 0) throw refusedAt('/description', 'is nested too deeply');
    return { blocks: read[language]?.blocks ?? [] };
  });
  implement(app, contract.readPublishRules, ({ request }) => readRules(dependencies, callerOf(request)));
}

async function submitForm(
  dependencies: PublishDependencies,
  call: Call,
  needsPackage: boolean,
): Promise<PublishResult> {
  const { fields, files, query, request, signal } = call;
  const caller = callerOf(request);
  dependencies.attempts.consume(caller);
  const snapshot = request.getDecorator<PluginSnapshot | null>(SNAPSHOT);
  const language = languageOf(request);
  const checked = await checkSubmission(dependencies, {
    caller,
    snapshot,
    needsPackage,
    fields,
    files,
    language,
    signal,
  });
  return storeAndSubmit(dependencies, checked, { dryRun: query.dry_run === 1 });
}

/** A plain text is that of the default language; texts in other languages do not change. */
async function readPlainTexts(
  submitting: SubmitDependencies,
  raw: ReadonlyMap<string, unknown>,
  request: FastifyRequest,
): Promise<ReadPlainText> {
  const key = raw.get('plugin_key');
  const snapshot = Check(PluginKey, key) ? await readSnapshot(submitting, key, callerOf(request)) : null;
  request.setDecorator(SNAPSHOT, snapshot);
  const listing = snapshot?.last.listing;
  const named = raw.get('default_lang');
  const isNamed = typeof named === 'string' && isLanguage(named);
  const language = isNamed ? named : (listing?.default_lang ?? languageOf(request));
  const written: Readonly<Record<string, Texts>> = listing
    ? {
        name: listing.name,
        intro: listing.intro,
        description:
          raw.get('description_format') === 'markdown' ? writtenDescription(listing) : listing.description,
        support: supportOf(listing),
      }
    : {};
  return (field, text) => ({ ...written[field], [language]: text });
}

async function readRules({ db, quotas, now }: SubmitDependencies, caller: Caller): Promise<PublishRules> {
  const at = now();
  const [{ usage }, tags] = await Promise.all([
    readPublisher(db, countedBy(quotas.limits, caller.user_id, at), null),
    readNamedTags(db),
  ]);
  const limits = usedLimits(quotas.limits, usage.submitted, at);
  return {
    may_mark: canMark(caller),
    is_limited: !canPublishUnlimited(caller),
    limits: limits.map(({ max, window, used }) => ({ max, window_seconds: window / 1000, used })),
    quota_bytes: quotas.quotaBytes,
    used_bytes: usage.storedBytes,
    has_facts: true,
    tag_list: tags
      .filter(({ is_hidden }) => !is_hidden)
      .map(({ code, names }) => ({ code, names: [...names] })),
  };
}
