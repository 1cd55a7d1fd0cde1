// Columns and tables as values: the statements that create tables, and their types in queries, are derived from them. A column
// without `orNull` must have a value.

export interface Column<Value> {
  sql(name: string): string;
  /** Only for its type. */
  readonly value?: Value;
}

const column =
  <Value>(type: string) =>
  (rules = ''): Column<Value> => ({ sql: () => `${type} NOT NULL ${rules}` });

export const text = column<string>('TEXT');
export const integer = column<number>('INTEGER');
export const real = column<number>('REAL');
/** A number as JSON text, in SQL. With all digits: SQLite's own JSON functions write only 15. */
export const numberText = (name: string) => `iif(${name} IS NULL, 'null', format('%!.17g', ${name}))`;
/** 0 or 1. */
export const flag = column<0 | 1>('INTEGER');
export const oneOf = <const Value extends string>(...values: readonly Value[]): Column<Value> => ({
  sql: name => `TEXT NOT NULL CHECK (${name} IN (${values.map(value => `'${value}'`).join(', ')}))`,
});
export const orNull = <Value>({ sql }: Column<Value>): Column<Value | null> => ({
  sql: name => sql(name).replace(' NOT NULL', ''),
});

export type Row<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never;
};

export interface Table<Columns> {
  readonly columns: Columns;
  readonly constraints: readonly string[];
  readonly ending: string;
}

export const table = <Columns>(columns: Columns, ...constraints: string[]): Table<Columns> => ({
  columns,
  constraints,
  ending: '',
});

/** Rows are stored in key order. */
export const keyed = <Columns>(columns: Columns, ...constraints: string[]): Table<Columns> => ({
  columns,
  constraints,
  ending: ' WITHOUT ROWID',
});

/** The statement that creates a table. */
export function writeTable([name, { columns, constraints, ending }]: [string, Table<object>]): string {
  const lines = Object.entries(columns).map(
    ([name, column]: [string, Column<unknown>]) => `${name} ${column.sql(name)}`,
  );
  return `CREATE TABLE ${name} (${[...lines, ...constraints].join(', ')})${ending}`;
}
