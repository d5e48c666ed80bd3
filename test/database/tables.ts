import { join } from 'node:path';
import type { Kysely } from 'kysely';
import {
  ArrayExpressionNode,
  type DatabaseMetadata,
  GenericExpressionNode,
  generate,
  IdentifierNode,
  PostgresDialect,
  type Scalars,
} from 'kysely-codegen';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../server/community/migrations.ts';
import type { Migrations } from '../../server/database/migrate.ts';
import { identityMigrations } from '../../server/identity/migrations.ts';
import { SCHEMA as IDENTITY_SCHEMA } from '../../server/identity/schema.ts';

/** A service whose table types are generated. */
export type TypedService = {
  schema: string;
  migrations: Migrations;
  /** The generated file. */
  file: string;
  /** Module of each name in `columns`. */
  imports: Readonly<Record<string, string>>;
  /** Columns whose values have a narrower type than the database says; whether they may be null is not part of it. */
  columns: Readonly<Record<string, string>>;
};

const server = (...path: string[]): string => join(import.meta.dirname, '../../server', ...path);

export const TYPED_SERVICES: readonly TypedService[] = [
  {
    schema: COMMUNITY_SCHEMA,
    migrations: communityMigrations,
    file: server('community', 'tables.ts'),
    imports: {
      AuditStatus: './column-types.ts',
      Computed: './column-types.ts',
      CopyrightKind: './column-types.ts',
      DataCollected: './column-types.ts',
      Finding: '../../shared/entities/finding.ts',
      JWK: 'jose',
      JsonOf: './column-types.ts',
      Language: '../../shared/languages.ts',
      LogKind: '../../shared/entities/transparency.ts',
      MarkColor: '../../shared/constants.ts',
      Role: '../../shared/entities/user.ts',
      StoredListing: './column-types.ts',
      StoredMarkdown: './column-types.ts',
      Texts: '../../shared/languages.ts',
      VersionKind: './column-types.ts',
    },
    columns: {
      'approval_key.public_jwk': 'JWK',
      'banner.default_lang': 'Language',
      'banner.title': 'JsonOf<Texts>',
      'featured_work.default_lang': 'Language',
      'featured_work.title': 'JsonOf<Texts>',
      'help_article.body': 'JsonOf<Texts>',
      'help_article.default_lang': 'Language',
      'help_article.title': 'JsonOf<Texts>',
      'help_article_search.plain': 'JsonOf<Texts>',
      'help_category.default_lang': 'Language',
      'help_category.name': 'JsonOf<Texts>',
      'mark.color': 'MarkColor',
      'mark.name': 'JsonOf<Texts>',
      'person.role': 'Role',
      'plugin.audit_status': 'AuditStatus',
      'plugin.copyright_kind': 'CopyrightKind',
      'plugin.default_lang': 'Language',
      'plugin.data_collected': 'JsonOf<DataCollected>',
      'plugin.is_visible': 'Computed<boolean>',
      'plugin_counter.popularity': 'Computed<number>',
      'plugin_text.description_markdown': 'JsonOf<StoredMarkdown>',
      'plugin_text.lang': 'Language',
      'plugin_version.audit_status': 'AuditStatus',
      'plugin_version.findings': 'JsonOf<Finding[]>',
      'plugin_version.kind': 'VersionKind',
      'plugin_version.note': 'JsonOf<Texts>',
      'publisher_profile.about': 'JsonOf<Texts>',
      'publisher_profile.default_lang': 'Language',
      'review.audit_status': 'AuditStatus',
      'submission.audit_status': 'AuditStatus',
      'submission.findings': 'JsonOf<Finding[]>',
      'submission.listing': 'JsonOf<StoredListing>',
      'tag.intro': 'Generated<JsonOf<Texts>>',
      'tag.name': 'JsonOf<Texts>',
      'transparency_log.kind': 'LogKind',
    },
  },
  {
    schema: IDENTITY_SCHEMA,
    migrations: identityMigrations,
    file: server('identity', 'tables.ts'),
    imports: {
      ChallengeKind: './column-types.ts',
      ChangeDetail: './column-types.ts',
      Fields: './column-types.ts',
      JWK: 'jose',
      JsonOf: './column-types.ts',
      Language: '../../shared/languages.ts',
      LoginMethod: '../../shared/entities/user.ts',
      MailState: './column-types.ts',
      PluginsAfter: '../../shared/routes/account.ts',
      ResponseType: './column-types.ts',
      Role: '../../shared/entities/user.ts',
    },
    columns: {
      'account.delete_language': 'Language',
      'account.delete_plugins': 'PluginsAfter',
      'account.language': 'Language',
      'account.role': 'Role',
      'authorization_code.login_method': 'LoginMethod',
      'member_change.detail': 'JsonOf<ChangeDetail>',
      'notice_mail.data': 'unknown',
      'notice_mail.state': 'MailState',
      'role_change.role': 'Role',
      'session.login_method': 'LoginMethod',
      'sign_in_challenge.kind': 'ChallengeKind',
      'sign_in_challenge.login_method': 'LoginMethod',
      'sign_in_challenge.response_type': 'ResponseType',
      'signing_key.public_jwk': 'JWK',
      'sso_login.parameters': 'JsonOf<Fields>',
      'sso_login.secrets': 'JsonOf<Fields>',
      'tool_change.detail': 'JsonOf<ChangeDetail>',
    },
  },
];

/** Types of values as the pool reads and writes them (`openPool`). */
const SCALARS = { int8: 'number', timestamptz: 'Date', date: 'string', jsonb: 'JsonOf<unknown>' };

/**
 * The table types of a migrated database: names, types, nullability, defaults and comments.
 * @throws when a column of `columns` does not exist
 */
export async function generateTables<DB>(
  db: Kysely<DB>,
  { schema, imports, columns }: TypedService,
): Promise<string> {
  const dialect = new PostgresDialect();
  const scalars: Scalars = dialect.adapter.scalars;
  const types = [...Object.entries(SCALARS), ...Object.values(columns).map((type) => [type, type] as const)];
  for (const [name, type] of types) scalars[name.toLowerCase()] = expression(type);
  return generate({
    db,
    dialect,
    defaultSchemas: [schema],
    includePattern: `${schema}.*`,
    excludePattern: '*.kysely_*',
    outFile: null,
    typeOnlyImports: true,
    customImports: { ...imports },
    postprocess: async ({ metadata }) => narrow(metadata, columns),
  });
}

/** kysely-codegen's own overrides replace nullability and default as well, and need an older TypeScript. */
function narrow(metadata: DatabaseMetadata, columns: TypedService['columns']): DatabaseMetadata {
  const left = new Set(Object.keys(columns));
  for (const table of metadata.tables) {
    for (const column of table.columns) {
      const type = columns[`${table.name}.${column.name}`];
      if (type === undefined) continue;
      column.dataType = type;
      left.delete(`${table.name}.${column.name}`);
    }
  }
  if (left.size > 0) throw new Error(`no such columns: ${[...left].join(', ')}`);
  return metadata;
}

type Expression = ArrayExpressionNode | GenericExpressionNode | IdentifierNode;

function expression(type: string): Expression {
  const [, name, argument] = /^(\w+)<(.+)>$/.exec(type) ?? [];
  if (name !== undefined && argument !== undefined)
    return new GenericExpressionNode(name, [expression(argument)]);
  return type.endsWith('[]')
    ? new ArrayExpressionNode(expression(type.slice(0, -2)))
    : new IdentifierNode(type);
}
