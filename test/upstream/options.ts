import { parseArgs } from 'node:util';

export const HELP = `Checks a community service against what the gateway and its pages read: docs/upstreams.md.

  npm run conformance:upstream -- --base-url URL [options]

Reads as a visitor does. Nothing is changed at the service without --changes.

  --base-url URL    address of the service, below which its calls are (COMMUNITY_URL)
  --token TOKEN     access token of a user or administrator, to try their calls too; the
                    environment variable UPSTREAM_TOKEN keeps it out of the process list
  --changes         with a token: records a view of one plugin, likes and unlikes, installs and
                    uninstalls it. An existing like or installation is removed
  --plugin-key KEY  the plugin to try (default: the first of the list)
  --timeout SECONDS for each answer (default 10)
  --json            prints one JSON object
  --help            this text

Each call has a mark: ✓ complete, ~ defaults are used, ✗ a part of the site does not work, – not
tried. Exit status: 0 without ✗, 1 with one, 2 for an invalid option.
`;

export type Options = {
  baseUrl: string;
  token: string | undefined;
  changes: boolean;
  pluginKey: string | undefined;
  /** Milliseconds. */
  timeout: number;
  json: boolean;
};

/** Parses the command line; undefined for --help. @throws Error with a message for the user */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      'base-url': { type: 'string' },
      token: { type: 'string' },
      changes: { type: 'boolean', default: false },
      'plugin-key': { type: 'string' },
      timeout: { type: 'string', default: '10' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const given = values['base-url'] ?? '';
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error('--base-url must be an http or https address.');
  const timeout = Number(values.timeout);
  if (!(timeout > 0 && timeout <= 900)) throw new Error('--timeout must be seconds, at most 900.');
  const token = values.token ?? environment.UPSTREAM_TOKEN;
  if (values.changes && token === undefined) throw new Error('--changes needs a --token.');
  return {
    baseUrl: url.href.replace(/\/+$/, ''),
    token,
    changes: values.changes,
    pluginKey: values['plugin-key'],
    timeout: timeout * 1000,
    json: values.json,
  };
}
