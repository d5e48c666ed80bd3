import { parseArgs } from 'node:util';
import { OWN_DIALECT, ownGateway } from './own-gateway.ts';
import type { Subject } from './runner.ts';

export const HELP = `Checks a backend-for-frontend over HTTP, against services that the runner scripts itself, and once
against this product's own services.

  npm run conformance -- [options]

Without --base-url it starts this product's gateway for every check. With it, the gateway under
test must already be running, with its community and help center at --upstream-port and its user
service at --identity-port of 127.0.0.1; the codes person-1, person-2, … sign people in. Raise its
rate limits: some checks sign in dozens of times. Checks that need other settings, another clock or
a restart are reported as not seen.

  --base-url URL          where the gateway under test listens
  --public-url URL        the origin that it believes browsers see (default: --base-url, or
                          http://localhost:8080 for this product's own)
  --upstream-port N       port of the scripted community and help center (default 9001)
  --identity-port N       port of the scripted user service (default 9002)
  --login-path PATH       begins a sign-in; the address to return to is appended
                          (default ${OWN_DIALECT.loginPath})
  --session-path PATH     tells who is signed in (default ${OWN_DIALECT.sessionPath})
  --logout-path PATH      ends the session (default ${OWN_DIALECT.logoutPath})
  --cookie-name PATTERN   regular expression of the names of session cookies
                          (default ${OWN_DIALECT.sessionCookie.source})
  --header 'NAME: VALUE'  what calls of the application prove themselves with
                          (default x-requested-with: plugin-square)
  --only ID               one check, by its number ('R 9.1' of docs/requirements.md) or id;
                          may be repeated
  --list                  names the checks and ends
  --json                  one JSON object with all results
  --help                  this text

Ends with 0 when no check has failed, 1 when one has, 2 for a wrong option.
`;

export type Options = {
  subject: Subject;
  only: string[];
  mode: 'run' | 'help' | 'list';
  json: boolean;
};

/** Parses the command line. @throws Error with a message for the user */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      'base-url': { type: 'string' },
      'public-url': { type: 'string' },
      'upstream-port': { type: 'string', default: '9001' },
      'identity-port': { type: 'string', default: '9002' },
      'login-path': { type: 'string', default: OWN_DIALECT.loginPath },
      'session-path': { type: 'string', default: OWN_DIALECT.sessionPath },
      'logout-path': { type: 'string', default: OWN_DIALECT.logoutPath },
      'cookie-name': { type: 'string', default: OWN_DIALECT.sessionCookie.source },
      header: { type: 'string', default: 'x-requested-with: plugin-square' },
      only: { type: 'string', multiple: true, default: [] },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const baseUrl = values['base-url'] === undefined ? undefined : origin('--base-url', values['base-url']);
  const publicUrl = origin('--public-url', values['public-url'] ?? baseUrl ?? 'http://localhost:8080');
  const mode = values.help ? 'help' : values.list ? 'list' : 'run';
  const common = { only: values.only, json: values.json, mode } as const;
  if (baseUrl === undefined) return { ...common, subject: ownGateway(publicUrl) };
  const dialect = {
    loginPath: values['login-path'],
    sessionPath: values['session-path'],
    logoutPath: values['logout-path'],
    sessionCookie: new RegExp(values['cookie-name']),
    headers: header(values.header),
  };
  const ports = {
    upstream: port('--upstream-port', values['upstream-port']),
    identity: port('--identity-port', values['identity-port']),
  };
  const running = { url: baseUrl, publicUrl, close: async () => undefined };
  return { ...common, subject: { dialect, ports, running } };
}

function origin(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`${name} must be an http or https address.`);
  return url.origin;
}

function port(name: string, value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) throw new Error(`${name} must be a port.`);
  return number;
}

function header(text: string): Record<string, string> {
  const [, name, value] = /^([\w-]+):\s*(\S.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new Error("--header must be 'name: value'.");
  return { [name.toLowerCase()]: value };
}
