import { Type } from 'typebox';
import { HOST_PATTERN } from '../package/hosts.ts';
import { Nullable, REQUIRED } from './base.ts';

/** A design tool as it says who it is, to get what works in it. */
export const HostName = Type.String({
  pattern: HOST_PATTERN,
  description: 'The design tool and its version, such as `pixso/4.2.1`',
});

/** Versions of a design tool that a version of a plugin works in. */
export const HostRange = Type.Object({
  host: Type.String(REQUIRED),
  /** As semver reads it; `*` for every version. */
  range: Type.String(REQUIRED),
});

/** The same for pages: where the range begins (included) and ends (not included); null for one with gaps. */
export const HostSpan = Type.Object({
  ...HostRange.properties,
  span: Nullable(Type.Object({ from: Nullable(Type.String()), before: Nullable(Type.String()) })),
});

/** What a version asks of the tool that runs it. */
export const Compatibility = {
  /** The version of the plugin API that it was written for; null if it does not say. */
  api: Nullable(Type.String()),
  /** Tools that it works in; empty for all. */
  hosts: Type.Array(HostRange),
};
