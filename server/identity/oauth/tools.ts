import type { FastifyInstance, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { BACKSTAGE_PAGE_SIZE } from '../../../shared/constants.ts';
import type { TypedProof } from '../../../shared/entities/sign-in.ts';
import type { ErrorDetail } from '../../../shared/errors.ts';
import { cappedTotal } from '../../../shared/paging.ts';
import type { BodyOf, DataOf } from '../../../shared/route.ts';
import { type ManagedTool, toolRoutes } from '../../../shared/routes/tool.ts';
import { isClientUri } from '../../../shared/tool-metadata.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type { IdentityDb } from '../schema.ts';
import { callerOf } from '../sessions/caller.ts';
import type { SignInContext } from '../sign-in/context.ts';
import { reauthenticate, requiredProof } from '../sign-in/reauthenticate.ts';
import { acquireAdvisoryLock } from '../store.ts';
import { metadataOf } from './clients.ts';
import type { ToolContext } from './connect.ts';
import {
  countToolChanges,
  countTools,
  deleteTool,
  insertTool,
  insertToolChange,
  lockTool,
  readToolChangeRows,
  readTools,
  readUse,
  type Tool,
  updateTool,
} from './tool-store.ts';

type Context = SignInContext & ToolContext;
type Routes = typeof toolRoutes;

/** Tools per site that administrators may register. */
const TOOLS_MAX = 200;

/** The tools that administrators register, and those of the setting, which they only see. */
export function serveTools(app: FastifyInstance, current: () => Promise<Provider>): void {
  const { identity } = app;
  const prove = (typed: TypedProof, request: FastifyRequest) =>
    reauthenticate(identity, callerOf(request), { typed, request });

  implement(app, toolRoutes.listTools, async ({ request }) => {
    const proof = await requiredProof(identity, callerOf(request));
    const configured = identity.oauthClients.map(({ grant_types = ['authorization_code'], ...tool }) => ({
      ...{ ...tool, grant_types },
      isConfigured: true,
    }));
    const isShadowed = ({ client_id }: Tool) => isOfSetting(identity, client_id);
    const registered = (await readTools(identity.db)).filter((tool) => !isShadowed(tool));
    const tools = [...configured, ...registered.map((tool) => ({ ...tool, isConfigured: false }))];
    const ids = tools.map(({ client_id }) => client_id);
    const use = await readUse(identity.db, ids, new Date(identity.now()));
    return {
      proof,
      tool_list: tools.map((tool) => toManaged(tool, tool.isConfigured, use.get(tool.client_id))),
    };
  });

  implement(app, toolRoutes.listToolChanges, async ({ query }) => {
    const { cursor, limit = BACKSTAGE_PAGE_SIZE } = query;
    const before = cursor === undefined ? undefined : decodeCursor(cursor);
    const [found, total] = await Promise.all([
      readToolChangeRows(identity.db, { before, limit: limit + 1 }),
      countToolChanges(identity.db),
    ]);
    const rows = found.slice(0, limit);
    const last = found.length > limit ? rows.at(-1) : undefined;
    return {
      ...cappedTotal(total),
      next_cursor: last ? encodeCursor(last.id) : null,
      entry_list: rows.map(({ created_at, ...row }) => ({
        ...row,
        target_kind: 'tool',
        created_at: created_at.toISOString(),
      })),
    };
  });

  implement(app, toolRoutes.registerTool, async ({ body, request }) => {
    const tool = await checkTool(await current(), body);
    await prove(body, request);
    return register(identity, tool, request);
  });

  implement(app, toolRoutes.changeTool, async ({ body, request }) => {
    const tool = await checkTool(await current(), body);
    await prove(body, request);
    return change(identity, tool, request);
  });

  implement(app, toolRoutes.removeTool, async ({ body, request }) => {
    await prove(body, request);
    return remove(identity, body.client_id, request);
  });
}

/** @throws TOOL_EXISTS, TOOL_LIMIT_REACHED */
async function register(identity: Context, tool: Tool, request: FastifyRequest): Promise<ManagedTool> {
  if (isOfSetting(identity, tool.client_id)) throw appError('TOOL_EXISTS');
  await identity.db.transaction().execute(async (db) => {
    await acquireAdvisoryLock(db, 'tools');
    if ((await countTools(db)) >= TOOLS_MAX) throw appError('TOOL_LIMIT_REACHED');
    const at = new Date(identity.now());
    if (!(await insertTool(db, tool, at))) throw appError('TOOL_EXISTS');
    await record(db, { action: 'tool.register', tool, at }, request);
  });
  return toManaged(tool, false, undefined);
}

/** @throws NOT_FOUND */
async function change(identity: Context, tool: Tool, request: FastifyRequest): Promise<ManagedTool> {
  const { db, now } = identity;
  const at = new Date(now());
  await db.transaction().execute(async (trx) => {
    const before = await lockTool(trx, tool.client_id, 'update');
    if (!before || isOfSetting(identity, tool.client_id)) throw appError('NOT_FOUND');
    await updateTool(trx, tool, at);
    await record(trx, { action: 'tool.change', tool, at }, request);
  });
  const use = await readUse(db, [tool.client_id], at);
  return toManaged(tool, false, use.get(tool.client_id));
}

/** Ends all that the tool may do for anybody. @throws NOT_FOUND */
async function remove(
  identity: Context,
  clientId: string,
  request: FastifyRequest,
): Promise<DataOf<Routes['removeTool']>> {
  return identity.db.transaction().execute(async (db) => {
    const tool = await lockTool(db, clientId, 'update');
    if (!tool || isOfSetting(identity, clientId)) throw appError('NOT_FOUND');
    // Later than every session that has begun: the lock has waited for them.
    const at = new Date(identity.now());
    const people = (await readUse(db, [clientId], at)).get(clientId)?.people ?? 0;
    await deleteTool(db, clientId);
    await record(db, { action: 'tool.remove', tool, at, people }, request);
    return { people };
  });
}

/** A line in the log, and one that administrators read. */
async function record(
  db: IdentityDb,
  { action, tool, at, people }: { action: string; tool: Tool; at: Date; people?: number },
  request: FastifyRequest,
): Promise<void> {
  const { user_id: actor_id } = callerOf(request).user;
  const { client_id, client_name } = tool;
  const detail = {
    redirect_uris: tool.redirect_uris.join(' '),
    scope_list: tool.scope_list.join(' '),
    ...(people !== undefined && { people }),
  };
  await insertToolChange(db, { actor_id, client_id, client_name, action, detail, created_at: at });
  request.log.info({ actor_id, client_id, action, ended: people }, 'tool changed');
}

function isOfSetting({ oauthClients }: ToolContext, clientId: string): boolean {
  return oauthClients.some(({ client_id }) => client_id === clientId);
}

/**
 * The tool of a body, with addresses that the library accepts: https, http to this device, or a scheme of the tool's own.
 * @throws REDIRECT_ADDRESS_INVALID with a detail for each address, VALIDATION_FAILED
 */
async function checkTool(
  { Client }: Provider,
  {
    client_id,
    client_name,
    client_uri,
    redirect_uris,
    grant_types,
    scope_list,
  }: BodyOf<Routes['registerTool']>,
): Promise<Tool> {
  const tool = {
    ...{ client_id, client_name: client_name.trim(), redirect_uris, grant_types, scope_list },
    ...(client_uri !== undefined && { client_uri }),
  };
  if (client_uri !== undefined && !isClientUri(client_uri))
    throw appError('VALIDATION_FAILED', {
      details: [{ pointer: '/client_uri', message: 'is not an address' }],
    });
  const details: ErrorDetail[] = [];
  for (const [index, address] of redirect_uris.entries()) {
    const pointer = `/redirect_uris/${index}`;
    await Client.validate(metadataOf({ ...tool, redirect_uris: [address] })).catch((error: unknown) =>
      details.push({ pointer, message: String(Object(error).error_description ?? error) }),
    );
  }
  if (redirect_uris.length === 0 && grant_types.includes('authorization_code'))
    details.push({ pointer: '/redirect_uris', message: 'is empty' });
  if (details.length > 0) throw appError('REDIRECT_ADDRESS_INVALID', { details });
  return tool;
}

type Use = { people: number; last_active_at: Date | null };

function toManaged(tool: Tool, is_configured: boolean, use: Use | undefined): ManagedTool {
  return {
    ...tool,
    client_uri: tool.client_uri ?? null,
    is_configured,
    people: use?.people ?? 0,
    last_active_at: use?.last_active_at?.toISOString() ?? null,
  };
}
