import { getLineInfo, Parser } from 'acorn';

/** Names of one kind that a scope declares; acorn asks for them as it would an array. */
type Names = { push(name: string): void; indexOf(name: string): number; readonly 0?: string };
type Scope = {
  flags: number;
  var: Names;
  lexical: Names;
  functions: Names;
  /** Names of `var` that this block and those in it declare. */
  declared: Set<string>;
  varScope?: Scope;
  thisScope?: Scope;
};
type RegexpState = {
  lastStringValue: string;
  groupNames: Record<string, unknown>;
  eat(character: number): boolean;
  raise(message: string): never;
};
/** A disjunction of a regular expression that is not closed yet: group names of this alternative, and of those before. */
type Disjunction = { names: Set<string>; before: Set<string> };

declare module 'acorn' {
  // What acorn's plugins build on (its own sources: scope.js, regexp.js, statement.js); the version is pinned.
  interface Parser {
    start: number;
    inModule: boolean;
    labels: unknown[];
    scopeStack: Scope[];
    undefinedExports: Record<string, unknown>;
    disjunctions?: Disjunction[];
    enterScope(flags: number): void;
    exitScope(): void;
    currentVarScope(): Scope;
    currentThisScope(): Scope;
    treatFunctionsAsVarInScope(scope: Scope): boolean;
    declareName(name: string, binding: number, at: number): void;
    parseLabeledStatement(...given: unknown[]): unknown;
    raiseRecoverable(at: number, message: string): void;
    regexp_disjunction(pattern: RegexpState): void;
    regexp_alternative(pattern: RegexpState): void;
    regexp_groupSpecifier(pattern: RegexpState): void;
    regexp_eatGroupName(pattern: RegexpState): boolean;
  }
}

/** acorn's numbers (scopeflags.js). */
const BIND_VAR = 1;
const SCOPE_TOP = 1;
const SCOPE_SIMPLE_CATCH = 32;
const SCOPE_VAR = 1 | 2 | 256;
const QUESTION_MARK = 0x3f;

/** Scopes, labels and groups inside one another: several times what compilers write, few enough to be walked each time. */
const NESTED_MAX = 256;

/** Thrown for a script whose nesting would make the work grow faster than its length; `loc` as a SyntaxError has it. */
type TooComplex = RangeError & { loc: { line: number; column: number } };

export function isTooComplex(error: unknown): error is TooComplex {
  return error instanceof RangeError && 'loc' in error;
}

/**
 * acorn, whose work grows with the length of a script and no faster: names are looked up in sets rather than in lists,
 * and what nests without end is refused. It takes and refuses what acorn does otherwise.
 */
export class LinearParser extends Parser {
  override enterScope(flags: number): void {
    if (this.scopeStack.length >= NESTED_MAX) this.refuse();
    const declared = new Set<string>();
    const scope = { flags, var: namesIn(declared), lexical: namesIn(), functions: namesIn(), declared };
    this.scopeStack.push(scope);
  }

  /** Names of `var` go on to the block around: the fewer into the more, so that each is moved a few times at most. */
  override exitScope(): void {
    const scope = this.scopeStack.pop();
    const around = this.scopeStack.at(-1);
    if (!scope || !around || scope.flags & SCOPE_VAR) return;
    around.declared = joined(around.declared, scope.declared);
    around.var = namesIn(around.declared);
  }

  override currentVarScope(): Scope {
    const scope = this.scopeStack.at(-1);
    if (!scope) return super.currentVarScope();
    scope.varScope ??= super.currentVarScope();
    return scope.varScope;
  }

  override currentThisScope(): Scope {
    const scope = this.scopeStack.at(-1);
    if (!scope) return super.currentThisScope();
    scope.thisScope ??= super.currentThisScope();
    return scope.thisScope;
  }

  override declareName(name: string, binding: number, at: number): void {
    if (binding === BIND_VAR) this.declareVar(name, at);
    else super.declareName(name, binding, at);
  }

  declareVar(name: string, at: number): void {
    const current = this.scopeStack.at(-1);
    if (!current || current.declared.has(name)) return;
    let place = this.scopeStack.length - 1;
    let scope = current;
    for (;;) {
      if (this.isTaken(scope, name)) {
        this.raiseRecoverable(at, `Identifier '${name}' has already been declared`);
      }
      const around = this.scopeStack[place - 1];
      if (scope.flags & SCOPE_VAR || !around) break;
      scope = around;
      place -= 1;
    }
    current.var.push(name);
    if (this.inModule && scope.flags & SCOPE_TOP) delete this.undefinedExports[name];
  }

  /** Whether a name is declared in a way that a `var` in or below this scope contradicts. */
  isTaken(scope: Scope, name: string): boolean {
    const { flags, lexical, functions } = scope;
    const isCaught = (flags & SCOPE_SIMPLE_CATCH) !== 0 && lexical[0] === name;
    if (lexical.indexOf(name) > -1 && !isCaught) return true;
    return functions.indexOf(name) > -1 && !this.treatFunctionsAsVarInScope(scope);
  }

  override parseLabeledStatement(...given: unknown[]): unknown {
    if (this.labels.length >= NESTED_MAX) this.refuse();
    return super.parseLabeledStatement(...given);
  }

  override regexp_disjunction(pattern: RegexpState): void {
    this.disjunctions ??= [];
    if (this.disjunctions.length >= NESTED_MAX) this.refuse();
    const opened: Disjunction = { names: new Set(), before: new Set() };
    this.disjunctions.push(opened);
    super.regexp_disjunction(pattern);
    this.disjunctions.pop();
    const around = this.disjunctions.at(-1);
    if (around) around.names = joined(around.names, joined(opened.before, opened.names));
  }

  override regexp_alternative(pattern: RegexpState): void {
    const inside = this.disjunctions?.at(-1);
    if (inside) {
      inside.before = joined(inside.before, inside.names);
      inside.names = new Set();
    }
    super.regexp_alternative(pattern);
  }

  /** Two groups may have one name where only one of them can take part: in different alternatives. */
  override regexp_groupSpecifier(pattern: RegexpState): void {
    if (!pattern.eat(QUESTION_MARK)) return;
    if (!this.regexp_eatGroupName(pattern)) pattern.raise('Invalid group');
    const { lastStringValue: name, groupNames } = pattern;
    if (this.disjunctions?.some(({ names }) => names.has(name)))
      pattern.raise('Duplicate capture group name');
    groupNames[name] = true;
    this.disjunctions?.at(-1)?.names.add(name);
  }

  refuse(): never {
    const loc = getLineInfo(this.input, this.start);
    throw Object.assign(new RangeError('nested too deeply'), { loc });
  }
}

function namesIn(known = new Set<string>()): Names {
  const [first] = known.keys();
  return {
    ...(first !== undefined && { 0: first }),
    push(name) {
      if (known.size === 0) Object.assign(this, { 0: name });
      known.add(name);
    },
    indexOf: (name) => (known.has(name) ? 0 : -1),
  };
}

/** All names of both; the larger of them is used for it. */
function joined(one: Set<string>, other: Set<string>): Set<string> {
  const [larger, smaller] = one.size >= other.size ? [one, other] : [other, one];
  for (const name of smaller.keys()) larger.add(name);
  return larger;
}
