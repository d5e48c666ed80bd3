/** Types of the Client API. Written from the contract by test/packages/client/wire.test.ts. */

export type InstalledItem = {
  plugin_key: string;
  name: string;
  lang: 'zh-CN' | 'en-US' | 'ja-JP' | 'ko-KR' | 'ru-RU' | 'es-ES';
  state: 'active' | 'update_offered' | 'withdrawn' | 'trial' | 'unavailable';
  is_listed: boolean;
  version: string;
  package: {
    digest: string;
    size: number;
    signature: string | null;
    address: string;
  } | null;
  domains: Array<string>;
  permissions: Array<string>;
  update: {
    version: string;
    domains: Array<string>;
    permissions: Array<string>;
  } | null;
  trial: 'waiting' | 'rejected' | 'deleted' | null;
  withdrawal: {
    reason: 'malware' | 'vulnerable' | 'policy' | 'legal' | 'publisher';
    text: string;
    text_lang: 'zh-CN' | 'en-US' | 'ja-JP' | 'ko-KR' | 'ru-RU' | 'es-ES';
    must_stop: boolean;
    withdrawn_at: string;
  } | null;
};

export type InstalledState = {
  plugin_list: Array<InstalledItem>;
};

export type CatalogueChange = {
  position: number;
  plugin_key: string;
  state: 'listed' | 'unlisted' | 'withdrawn';
  version: string;
  package: {
    digest: string;
    size: number;
    signature: string | null;
    address: string;
  } | null;
  domains: Array<string>;
  permissions: Array<string>;
  withdrawal: {
    reason: 'malware' | 'vulnerable' | 'policy' | 'legal' | 'publisher';
    texts: {
      'zh-CN'?: string;
      'en-US'?: string;
      'ja-JP'?: string;
      'ko-KR'?: string;
      'ru-RU'?: string;
      'es-ES'?: string;
    };
    must_stop: boolean;
    withdrawn_at: string;
  } | null;
  withdrawn_versions: Array<{
    version: string;
    digest: string | null;
    reason: 'malware' | 'vulnerable' | 'policy' | 'legal' | 'publisher';
    texts: {
      'zh-CN'?: string;
      'en-US'?: string;
      'ja-JP'?: string;
      'ko-KR'?: string;
      'ru-RU'?: string;
      'es-ES'?: string;
    };
    must_stop: boolean;
    withdrawn_at: string;
  }>;
};

export type CatalogueChanges = {
  change_list: Array<CatalogueChange>;
  next: number;
  has_more: boolean;
};
