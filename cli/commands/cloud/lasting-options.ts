// The options of `svc cloud start` that a cloud keeps: whoever starts it again, by that command or because it is needed,
// gets the same cloud. Pure; where they are kept is in `options-file.ts`.
import { resolve } from 'node:path';
import type { OptionTable, OptionValues } from '../../command.js';
import { isOnHub } from './base-model.js';

export type LastingOptions = Readonly<Record<string, string | true>>;

/** These are about one start, or about its answer. */
const PASSING: ReadonlySet<string> = new Set(['data', 'foreground', 'json', 'help', 'reset']);
const PATHS: ReadonlySet<string> = new Set(['tls-cert', 'tls-key']);
/** Who says the one takes the other back. */
const OPPOSITES: Readonly<Record<string, string>> = {
  anonymous: 'no-anonymous',
  'no-anonymous': 'anonymous',
};

/** What was typed, with paths that mean the same wherever one stands. */
export function toLasting(values: OptionValues, cwd: string): LastingOptions {
  const kept = Object.entries(values).flatMap(([name, value]): [string, string | true][] => {
    if (PASSING.has(name)) return [];
    if (typeof value !== 'string') return value === true ? [[name, true]] : [];
    const isPath = PATHS.has(name) || (name === 'base-model' && !isOnHub(value, cwd));
    return [[name, isPath ? resolve(cwd, value) : value]];
  });
  return Object.fromEntries(kept);
}

/** Those of last time, changed by what was typed now. */
export function changeOptions(former: LastingOptions, typed: LastingOptions): LastingOptions {
  const isTakenBack = (name: string) => OPPOSITES[name] !== undefined && OPPOSITES[name]! in typed;
  const stays = Object.entries(former).filter(([name]) => !isTakenBack(name));
  return { ...Object.fromEntries(stays), ...typed };
}

export function isSameOptions(one: LastingOptions, other: LastingOptions): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every(name => one[name] === other[name]);
}

/** As they are typed. */
export function toWords(options: LastingOptions): string[] {
  return Object.entries(options).map(([name, value]) =>
    value === true ? `--${name}` : `--${name}=${value}`,
  );
}

/** Null when the content is not what the table of the command allows. */
export function parseLasting(content: unknown, table: OptionTable): LastingOptions | null {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return null;
  const isAllowed = ([name, value]: [string, unknown]) => {
    const type = PASSING.has(name) || !Object.hasOwn(table, name) ? undefined : table[name]!.type;
    return type === 'boolean' ? value === true : type === 'string' && typeof value === 'string';
  };
  return Object.entries(content).every(isAllowed) ? (content as LastingOptions) : null;
}
