// A parsed template, as the package's parser makes it. The package does not export these types.

export interface Named {
  readonly type: 'Identifier';
  readonly value: string;
}

export interface TupleNode {
  readonly type: 'TupleLiteral';
  readonly value: readonly Expression[];
}

interface SliceNode {
  readonly type: 'SliceExpression';
  readonly start?: Expression;
  readonly stop?: Expression;
  readonly step?: Expression;
}

export interface MemberNode {
  readonly type: 'MemberExpression';
  readonly object: Expression;
  readonly property: Expression | SliceNode;
  /** Whether it is written in brackets. */
  readonly computed: boolean;
}

export interface CallNode {
  readonly type: 'CallExpression';
  readonly callee: Expression;
  readonly args: readonly Argument[];
}

export type Argument =
  | Expression
  | { readonly type: 'KeywordArgumentExpression'; readonly key: Named; readonly value: Expression }
  | { readonly type: 'SpreadExpression'; readonly argument: Expression }
  | { readonly type: 'KeywordSpreadExpression'; readonly argument: Expression };

interface FilterNode {
  readonly type: 'FilterExpression';
  readonly operand: Expression;
  readonly filter: Named | CallNode;
}

/** `a if b` without an else, and what a loop with a condition goes through. */
interface SelectNode {
  readonly type: 'SelectExpression';
  readonly lhs: Expression;
  readonly test: Expression;
}

export type Expression =
  | Named
  | TupleNode
  | MemberNode
  | CallNode
  | FilterNode
  | SelectNode
  | { readonly type: 'StringLiteral'; readonly value: string }
  | { readonly type: 'IntegerLiteral' | 'FloatLiteral'; readonly value: number }
  | { readonly type: 'ArrayLiteral'; readonly value: readonly Expression[] }
  | { readonly type: 'ObjectLiteral'; readonly value: ReadonlyMap<Expression, Expression> }
  | {
      readonly type: 'BinaryExpression';
      readonly operator: { readonly value: string };
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly type: 'UnaryExpression';
      readonly operator: { readonly value: string };
      readonly argument: Expression;
    }
  | {
      readonly type: 'TestExpression';
      readonly operand: Expression;
      readonly negate: boolean;
      readonly test: Named;
    }
  | {
      readonly type: 'Ternary';
      readonly condition: Expression;
      readonly trueExpr: Expression;
      readonly falseExpr: Expression;
    };

export interface MacroNode {
  readonly type: 'Macro';
  readonly name: Named;
  readonly args: readonly Parameter[];
  readonly body: Body;
}

export type Parameter =
  | Named
  | { readonly type: 'KeywordArgumentExpression'; readonly key: Named; readonly value: Expression };

export interface ForNode {
  readonly type: 'For';
  readonly loopvar: Named | TupleNode;
  readonly iterable: Expression;
  readonly body: Body;
  readonly defaultBlock: Body;
}

export interface SetNode {
  readonly type: 'Set';
  readonly assignee: Expression;
  readonly value: Expression | null;
  readonly body: Body;
}

export type Statement =
  | Expression
  | MacroNode
  | ForNode
  | SetNode
  | { readonly type: 'If'; readonly test: Expression; readonly body: Body; readonly alternate: Body }
  | { readonly type: 'Break' | 'Continue' | 'Comment' }
  | { readonly type: 'FilterStatement'; readonly filter: Named | CallNode; readonly body: Body }
  | {
      readonly type: 'CallStatement';
      readonly call: CallNode;
      readonly callerArgs: readonly Parameter[] | null;
      readonly body: Body;
    };

export type Body = readonly Statement[];

/** Whether any of the statements reads a variable. */
export function mentions(node: unknown, variable: string): boolean {
  if (Array.isArray(node)) return node.some(item => mentions(item, variable));
  if (node instanceof Map) return [...node].some(pair => mentions(pair, variable));
  if (typeof node !== 'object' || node === null) return false;
  if ('type' in node && node.type === 'Identifier') return (node as Named).value === variable;
  return Object.entries(node).some(
    ([field, value]) => !isName(node, field, value) && mentions(value, variable),
  );
}

/** Names of attributes, arguments, filters and tests are identifiers, too. */
function isName(node: object, field: string, value: unknown): boolean {
  if (field === 'property') return !(node as MemberNode).computed;
  const isIdentifier = (value as Named | null)?.type === 'Identifier';
  return isIdentifier && ['key', 'filter', 'test', 'name'].includes(field);
}
