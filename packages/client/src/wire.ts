/** Types of the Client API. Written from the contract by test/packages/client/wire.test.ts. */

export type InstalledItem = {
  plugin_key: string;
  name: string;
  lang: 'zh-CN' | 'en-US' | 'ja-JP' | 'ko-KR' | 'ru-RU' | 'es-ES';
  state: 'active' | 'update_offered' | 'deprecated' | 'withdrawn' | 'trial' | 'unavailable' | 'incompatible';
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
  api: string | null;
  hosts: Array<{
    host: string;
    range: string;
  }>;
  update: {
    version: string;
    domains: Array<string>;
    permissions: Array<string>;
  } | null;
  trial: 'waiting' | 'rejected' | 'deleted' | null;
  hold: {
    kind: 'pinned' | 'paused';
    version: string;
  } | null;
  waiting: {
    version: string;
    from: string;
  } | null;
  withdrawal: {
    reason: 'malware' | 'vulnerable' | 'policy' | 'legal' | 'publisher';
    text: string;
    text_lang: 'zh-CN' | 'en-US' | 'ja-JP' | 'ko-KR' | 'ru-RU' | 'es-ES';
    must_stop: boolean;
    withdrawn_at: string;
  } | null;
  deprecation: {
    text: string;
    text_lang: 'zh-CN' | 'en-US' | 'ja-JP' | 'ko-KR' | 'ru-RU' | 'es-ES';
    deprecated_at: string;
    successor: {
      plugin_key: string;
      name: string;
      lang: 'zh-CN' | 'en-US' | 'ja-JP' | 'ko-KR' | 'ru-RU' | 'es-ES';
      version: string;
      domains: Array<string>;
      permissions: Array<string>;
    } | null;
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
  api: string | null;
  hosts: Array<{
    host: string;
    range: string;
  }>;
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
  deprecation: {
    texts: {
      'zh-CN'?: string;
      'en-US'?: string;
      'ja-JP'?: string;
      'ko-KR'?: string;
      'ru-RU'?: string;
      'es-ES'?: string;
    };
    deprecated_at: string;
    successor: string | null;
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
