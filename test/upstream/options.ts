import { parseArgs } from 'node:util';

export const HELP = `Says what a community service lacks of what the gateway and its pages read: docs/upstreams.md.

  npm run conformance:upstream -- --base-url URL [options]

Reads as a visitor does. Nothing is changed at the service without --changes.

  --base-url URL    where the service listens; its calls hang below this address (COMMUNITY_URL)
  --token TOKEN     access token of a user: tries what users, and with an administrator's what
                    administrators read, too; UPSTREAM_TOKEN in the environment keeps it out of
                    the list of processes
  --changes         with a token: records a view of one plugin, likes and unlikes, installs and
                    uninstalls it. A like or an installation that was there is gone afterwards
  --plugin-key KEY  the plugin to look at (default: the first of the list)
  --timeout SECONDS for each answer (default 10)
  --json            one JSON object with all that was found
  --help            this text

A mark stands for each call: ✓ nothing lacks, ~ what stands in is shown, ✗ a part of the site does
not work, – not tried. Ends with 0 when nothing is ✗, 1 when something is, 2 for a wrong option.
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

/** Reads the command line; undefined when help is asked for. @throws Error with a sentence for whoever typed it */
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
