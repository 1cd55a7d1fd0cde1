// Patterns and formats of strings that are checked, not enforced: also those that no automaton can describe.
import { runInNewContext } from 'node:vm';
import { fits, PatternError, patternOfFormat } from '../pattern/index.js';
import { SchemaError } from './keywords.js';

/** Patterns with backreferences and the like could take forever. In CPU time, too: the system may give this process little. */
const LONGEST_MS = 100;

/** The cache is cleared beyond this size. */
const MOST_KNOWN = 100;
/** Patterns that are beyond automata. */
const beyond = new Map<string, RegExp>();

/** Throws a `PatternError` for an invalid pattern. A pattern that takes too long does not fit. */
export function fitsPattern(text: string, source: string): boolean {
  const expression = beyond.get(source);
  if (expression) return testWithin(expression, text);
  try {
    return fits([{ source }], text);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    if (beyond.size >= MOST_KNOWN) beyond.clear();
    beyond.set(source, compile(source, error));
    return fitsPattern(text, source);
  }
}

/** Throws a `SchemaError` for a pattern that nothing can check. */
export function requirePattern(source: string): void {
  try {
    fitsPattern('', source);
  } catch (error) {
    throw error instanceof PatternError ? new SchemaError(`pattern: ${error.message}`) : error;
  }
}

function compile(source: string, reason: PatternError): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    throw reason;
  }
}

function testWithin(expression: RegExp, text: string): boolean {
  for (const before = process.cpuUsage(); ; ) {
    try {
      return runInNewContext(
        'expression.test(text)',
        { expression, text },
        { timeout: LONGEST_MS },
      ) as boolean;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const { user, system } = process.cpuUsage(before);
      if (user + system >= 1000 * LONGEST_MS) return false;
    }
  }
}

export function fitsFormat(text: string, format: string): boolean {
  if (format === 'regex') return isExpression(text);
  if (format === 'uri-template') return /^(?:[^{}\s]|\{[^{}\s]+\})*$/.test(text);
  const source = patternOfFormat(format);
  return source === null || fits([{ source }], text);
}

function isExpression(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
