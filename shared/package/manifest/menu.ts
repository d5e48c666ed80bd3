import type { JsonValue } from '../package.ts';
import type { Path } from '../report.ts';
import { type Check, type Context, flag, isListAt, isObject, listOf, shape, text } from './checks.ts';

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

/** Input fields of a command, each with a unique key. */
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

const item = shape(
  {
    name: text({ limit: 200, isFilled: true }),
    command: text({ limit: 200, isFilled: true }),
    parameters,
    parameterOnly: flag,
    // Checked by `checkLevel`, which counts the depth.
    menu: () => {},
  },
  ['name'],
);
const separator = shape({ separator: flag });

/** Items and commands found so far in the whole menu. */
type Counts = { items: number; commands: Set<string> };

/** A tree of commands: items, separators and submenus. */
export const menu: Check = (value, path, context) => {
  checkLevel(value, path, context, 1, { items: 0, commands: new Set() });
};

function checkLevel(value: JsonValue, path: Path, context: Context, depth: number, counts: Counts): void {
  const { report, limits } = context;
  if (!isListAt(value, path, context)) return;
  if (depth > limits.menuDepth) {
    report.value(path, 'MENU_TOO_DEEP', { limit: String(limits.menuDepth) });
    return;
  }
  for (const [index, entry] of value.entries()) {
    checkEntry(entry, [...path, index], context, depth, counts);
    if (counts.items > limits.menuItems) return;
  }
}

function checkEntry(entry: JsonValue, path: Path, context: Context, depth: number, counts: Counts): void {
  const { report, limits } = context;
  if (isObject(entry) && entry.separator === true) {
    if (Object.keys(entry).length > 1) report.value(path, 'MENU_SEPARATOR');
    return;
  }
  counts.items += 1;
  if (counts.items > limits.menuItems) {
    report.value(path, 'TOO_MANY_MENU_ITEMS', { limit: String(limits.menuItems) });
    return;
  }
  const { separator: mark, ...rest } = isObject(entry) ? entry : {};
  if (mark !== undefined) separator({ separator: mark }, path, context);
  item(isObject(entry) ? rest : entry, path, context);
  if (!isObject(entry)) return;
  checkCommand(entry.command, entry.menu, path, context, counts);
  if (entry.menu !== undefined) checkLevel(entry.menu, [...path, 'menu'], context, depth + 1, counts);
}

function checkCommand(
  command: JsonValue | undefined,
  submenu: JsonValue | undefined,
  path: Path,
  { report }: Context,
  { commands }: Counts,
): void {
  if (command === undefined && submenu === undefined) report.value(path, 'MENU_COMMAND_MISSING');
  if (command !== undefined && submenu !== undefined) report.value(path, 'MENU_COMMAND_SUBMENU');
  if (typeof command !== 'string') return;
  if (commands.has(command)) report.value([...path, 'command'], 'MENU_COMMAND_DUPLICATE', { command });
  commands.add(command);
}
