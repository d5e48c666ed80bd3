import { getLineInfo, Parser } from 'acorn';

/** Names that a scope declares, with the part of the array interface that acorn uses. */
type Names = { push(name: string): void; indexOf(name: string): number; readonly 0?: string };
type Scope = {
  flags: number;
  var: Names;
  lexical: Names;
  functions: Names;
  /** Names that `var` declares in this block and the blocks inside it. */
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
/** An open disjunction of a regular expression: group names of the current alternative, and of the ones before it. */
type Disjunction = { names: Set<string>; before: Set<string> };

declare module 'acorn' {
  // Internals that acorn's plugins rely on (scope.js, regexp.js, statement.js of its sources); the version is pinned.
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

/** Constants of acorn (scopeflags.js). */
const BIND_VAR = 1;
const SCOPE_TOP = 1;
const SCOPE_SIMPLE_CATCH = 32;
const SCOPE_VAR = 1 | 2 | 256;
const QUESTION_MARK = 0x3f;

/** Limit to nested scopes, labels and groups: several times the nesting of compiler output, and few enough to scan. */
const NESTED_MAX = 256;

/** Thrown for a script that is nested too deeply; `loc` is the same as in acorn's SyntaxError. */
type TooComplex = RangeError & { loc: { line: number; column: number } };

export function isTooComplex(error: unknown): error is TooComplex {
  return error instanceof RangeError && 'loc' in error;
}

/**
 * acorn in linear time: names are looked up in sets instead of lists, and too deep nesting is refused. Otherwise it accepts
 * and refuses the same scripts as acorn.
 */
export class LinearParser extends Parser {
  override enterScope(flags: number): void {
    if (this.scopeStack.length >= NESTED_MAX) this.refuse();
    const declared = new Set<string>();
    const scope = { flags, var: namesIn(declared), lexical: namesIn(), functions: namesIn(), declared };
    this.scopeStack.push(scope);
  }

  /** Merges the `var` names into the parent block: the smaller set into the larger one, so that few names are copied. */
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

  /** Whether a name is declared in a way that conflicts with a `var` in or below this scope. */
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

  /** Two groups may have the same name if they are in different alternatives. */
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

/** Merges the smaller set into the larger one and returns that. */
function joined(one: Set<string>, other: Set<string>): Set<string> {
  const [larger, smaller] = one.size >= other.size ? [one, other] : [other, one];
  for (const name of smaller.keys()) larger.add(name);
  return larger;
}
