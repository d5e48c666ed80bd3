import packageJson from '../package.json' with { type: 'json' };

/** Version of the running program, as in package.json. */
export const VERSION = packageJson.version;
