import type { Config } from '../../config.ts';
import type { Contents } from './contents.ts';

/** A key of a deployment: its file in the data folder, the setting that replaces the file, and who needs it. */
type Key = {
  /** Null for a key that is a setting or else, encrypted, in the database. */
  file: string | null;
  setting: string;
  isSet: (config: KeySettings) => boolean;
  /** Where there is one; `bundles` are made by hand, and many deployments make none. */
  owner: 'the gateway' | 'identity' | 'community' | 'bundles';
};

type KeySettings = Pick<Config, 'identityKeys' | 'accountKeys' | 'approvalKey' | 'bundleKey'> & {
  session: Pick<Config['session'], 'keys'>;
};

const KEYS: readonly Key[] = [
  {
    file: 'account-keys',
    setting: 'ACCOUNT_KEYS',
    isSet: ({ accountKeys }) => accountKeys.length > 0,
    owner: 'community',
  },
  {
    file: null,
    setting: 'APPROVAL_KEY',
    isSet: ({ approvalKey }) => approvalKey !== undefined,
    owner: 'community',
  },
  {
    file: 'bundle-key.pem',
    setting: 'BUNDLE_KEY',
    isSet: ({ bundleKey }) => bundleKey !== undefined,
    owner: 'bundles',
  },
  {
    file: 'identity-keys',
    setting: 'IDENTITY_KEYS',
    isSet: ({ identityKeys }) => identityKeys.length > 0,
    owner: 'identity',
  },
  {
    file: 'session-keys',
    setting: 'SESSION_KEYS',
    isSet: ({ session }) => session.keys.length > 0,
    owner: 'the gateway',
  },
];

/**
 * A line for each key of the deployment that a backup does not hold, because it is a setting, or because the data folder of
 * another part has it.
 */
export function describeLackingKeys(
  config: KeySettings,
  { keys, schemas }: { keys: readonly string[]; schemas: Contents['schemas'] },
): string[] {
  const services = new Set(schemas.map(({ schema }) => schema));
  return KEYS.filter(({ file }) => file === null || !keys.includes(file)).flatMap(
    ({ file, setting, isSet, owner }) => {
      if (isSet(config))
        return [`${setting} is a setting and not in the backup: keep it with your settings.`];
      const isElsewhere = file !== null && (owner === 'the gateway' || services.has(owner));
      return isElsewhere
        ? [
            `The key ${file} of ${owner} is neither in this data folder nor in ${setting}: the backup lacks it. Keep that ` +
              `part's data folder too, or give all parts ${setting}.`,
          ]
        : [];
    },
  );
}
