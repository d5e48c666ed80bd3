import type { ColumnType, Generated, Kysely, Updateable } from 'kysely';
import type { MarkColor } from '../../shared/constants.ts';
import type { Finding } from '../../shared/entities/finding.ts';
import type { Language, Texts } from '../../shared/languages.ts';

/** JSON that is written as text and read as a parsed value. */
type Json<T> = ColumnType<T, string, string>;
type Defaulted<T> = ColumnType<T, T | undefined, T>;
type Computed<T> = ColumnType<T, never, never>;
type AuditStatus = 1 | 2 | 3;

/** A stored listing, with pictures and videos by their keys. */
export type StoredListing = {
  default_lang: Language;
  name: Texts;
  intro: Texts;
  description: Texts;
  tags: string[];
  contact: string;
  support: string;
  copyright: { kind: 'author' | 'custom'; holder: string };
  plugin_mark: string;
  icon_key: string | null;
  cover_key: string | null;
  panel_key: string | null;
  media: ({ picture_key: string } | { file_key: string })[];
};

/** Tables of the schema `community`, as far as typed queries use them. */
export type CommunityTables = {
  person: {
    user_id: number;
    nick_name: string;
    avatar_url: Defaulted<string>;
    role: Defaulted<0 | 1 | 2>;
    seen_at: Generated<Date>;
    told_at: Generated<Date | null>;
    deleted_at: Generated<Date | null>;
  };
  picture: {
    picture_key: string;
    width: number;
    height: number;
    widths: number[];
    bytes: Defaulted<number>;
    created_at: Generated<Date>;
  };
  stored_file: {
    file_key: string;
    extension: string;
    mime_type: string;
    bytes: number;
    created_at: Generated<Date>;
  };
  plugin: {
    id: Generated<number>;
    plugin_key: string;
    publisher_id: number;
    default_lang: Language;
    plugin_mark: Defaulted<string>;
    contact: Defaulted<string>;
    support: Defaulted<string>;
    copyright_kind: Defaulted<'author' | 'custom'>;
    copyright_holder: Defaulted<string>;
    external_id: string | null;
    icon_key: string | null;
    cover_key: string | null;
    generated_cover_key: Defaulted<string | null>;
    generated_from: Defaulted<string | null>;
    panel_key: string | null;
    current_version_id: number | null;
    first_accepted_version_id: Defaulted<number | null>;
    audit_status: Defaulted<AuditStatus>;
    is_hidden: Defaulted<boolean>;
    stored_bytes: Defaulted<number>;
    deleted_at: Date | null;
    is_visible: Computed<boolean>;
    created_at: Defaulted<Date>;
    updated_at: Defaulted<Date>;
  };
  plugin_text: {
    plugin_id: number;
    lang: Language;
    name: string;
    intro: Defaulted<string>;
    description: Defaulted<string>;
  };
  plugin_version: {
    id: Generated<number>;
    plugin_id: number;
    version: string;
    kind: Defaulted<'new' | 'fixed'>;
    note: Json<Texts>;
    audit_status: Defaulted<AuditStatus>;
    is_hidden: Defaulted<boolean>;
    package_key: string | null;
    package_bytes: Defaulted<number>;
    package_manifest: Json<unknown> | null;
    allowed_domains: Defaulted<string[]>;
    findings: ColumnType<Finding[], string | undefined, string>;
    created_by: number | null;
    created_at: Defaulted<Date>;
  };
  submission: {
    id: Generated<number>;
    plugin_id: number;
    plugin_version_id: number;
    brings_version: boolean;
    is_first: boolean;
    listing: Json<StoredListing>;
    findings: ColumnType<Finding[], string | undefined, string>;
    audit_status: Defaulted<AuditStatus>;
    is_superseded: Defaulted<boolean>;
    reason: string | null;
    decided_by: number | null;
    decided_at: Date | null;
    claimed_by: number | null;
    claimed_until: Date | null;
    created_by: number;
    created_at: Defaulted<Date>;
  };
  submission_file: { submission_id: number; picture_key: string | null; file_key: string | null };
  publish_token: {
    id: Generated<number>;
    user_id: number;
    name: string;
    secret_hash: Buffer;
    hint: string;
    plugin_id: number | null;
    created_at: Defaulted<Date>;
    expires_at: Date;
    last_used_at: Date | null;
    revoked_at: Date | null;
    /** The grant with which identity confirms its owner's rights; null until issued. */
    owner_grant: string | null;
  };
  plugin_media: {
    plugin_id: number;
    position: number;
    picture_key: string | null;
    file_key: string | null;
  };
  tag: {
    id: Generated<number>;
    code: string;
    name: Json<Texts>;
    is_hidden: Defaulted<boolean>;
    position: number;
  };
  mark: {
    id: Generated<number>;
    code: string;
    name: Json<Texts>;
    color: MarkColor;
    is_hidden: Defaulted<boolean>;
    position: number;
  };
  plugin_tag: { plugin_id: number; tag_id: number; position: Defaulted<number> };
  plugin_counter: {
    plugin_id: number;
    praise_count: number;
    install_count: number;
    view_count: number;
    popularity: Computed<number>;
  };
  recommendation: { plugin_id: number; position: number; created_by: number | null };
  banner: {
    id: Generated<number>;
    redirect_url: string | null;
    title: Json<Texts>;
    default_lang: Language;
    picture_key: string | null;
    position: Defaulted<number>;
  };
  activity: {
    id: number;
    view_num: number;
    participate_num: number;
    cover_key: string | null;
    tutorial_url: string;
    is_hidden: Defaulted<boolean>;
  };
  featured_work: {
    id: Generated<number>;
    title: Json<Texts>;
    default_lang: Language;
    author: string;
    url: string;
    picture_key: string | null;
    view_num: number;
    like_num: number;
    position: Defaulted<number>;
    is_hidden: Defaulted<boolean>;
  };
  help_category: {
    id: Generated<number>;
    name: Json<Texts>;
    default_lang: Language;
    position: number;
  };
  help_article: {
    id: Generated<number>;
    category_id: number | null;
    title: Json<Texts>;
    body: Json<Texts>;
    default_lang: Language;
    is_published: Defaulted<boolean>;
    position: number;
  };
  setting: { name: string; value: Json<unknown>; updated_at: Generated<Date> };
};

/** A connection pool or a transaction; the first argument of store functions. */
export type Db = Kysely<CommunityTables>;

export type PluginChange = Updateable<CommunityTables['plugin']>;
