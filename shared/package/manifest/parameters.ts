import { type Check, flag, isObject, listOf, shape, text } from './checks.ts';

const list = listOf(
  shape(
    {
      name: text({ limit: 200, isFilled: true }),
      key: text({ limit: 200, isFilled: true }),
      description: text(),
      allowFreeform: flag,
      optional: flag,
    },
    ['name', 'key'],
  ),
);

/** What a command asks for before it runs: each under a key of its own. */
export const parameters: Check = (value, path, context) => {
  list(value, path, context);
  const seen = new Set<string>();
  for (const [index, parameter] of (Array.isArray(value) ? value : []).entries()) {
    if (!isObject(parameter) || typeof parameter.key !== 'string') continue;
    const { key } = parameter;
    if (seen.has(key)) context.report.value([...path, index, 'key'], 'PARAMETER_DUPLICATE', { key });
    seen.add(key);
  }
};
