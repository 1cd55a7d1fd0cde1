// Splits a typed command line into arguments, with a shell's quotes and backslashes but nothing else of a shell: no
// variables, pipes or globs.

type Split = { readonly args: readonly string[] } | { readonly problem: string };

/** Commands that take over the terminal. */
const TAKING = new Set(['dev', 'watch']);

export function splitCommandLine(text: string): Split {
  const args: string[] = [];
  let word: string | null = null;
  for (let index = 0; index < text.length; index++) {
    const sign = text[index]!;
    if (/\s/.test(sign)) {
      if (word !== null) args.push(word);
      word = null;
    } else if (sign === "'" || sign === '"') {
      const quoted = readQuoted(text, index);
      if (!quoted) return { problem: `Missing closing ${sign}.` };
      word = (word ?? '') + quoted.text;
      index = quoted.end;
    } else if (sign === '\\' && index + 1 < text.length) word = (word ?? '') + text[++index]!;
    else word = (word ?? '') + sign;
  }
  if (word !== null) args.push(word);
  return { args: args[0] === 'svc' ? args.slice(1) : args };
}

/** Why a command cannot be run from here; null when it can. */
export function commandProblem([command]: readonly string[]): string | null {
  return TAKING.has(command ?? '') ? `svc ${command} needs its own terminal. Run it in another one.` : null;
}

/** In double quotes, a backslash escapes a double quote or a backslash; in single quotes, nothing is escaped. */
function readQuoted(text: string, start: number): { text: string; end: number } | null {
  const quote = text[start]!;
  let read = '';
  for (let index = start + 1; index < text.length; index++) {
    const sign = text[index]!;
    if (sign === quote) return { text: read, end: index };
    const isEscape = quote === '"' && sign === '\\' && /["\\]/.test(text[index + 1] ?? '');
    read += isEscape ? text[++index]! : sign;
  }
  return null;
}
