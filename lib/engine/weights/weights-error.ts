// The error of weight files: names the file, the tensor and the problem.

interface Details {
  tensor?: string;
  cause?: unknown;
}

/** A weight file or an adapter is broken or does not fit. The message names the file and the tensor, if any. */
export class WeightsError extends Error {
  override readonly name = 'WeightsError';
  readonly file: string;
  readonly problem: string;
  readonly tensor: string | undefined;

  constructor(file: string, problem: string, { tensor, cause }: Details = {}) {
    const subject = tensor === undefined ? '' : `tensor ${quote(tensor)} `;
    super(`${file}: ${subject}${problem}`, cause === undefined ? {} : { cause });
    this.file = file;
    this.problem = problem;
    this.tensor = tensor;
  }
}

const longestQuote = 160;

/** Any value as JSON for a message, shortened if a broken file makes it long. */
export function quote(value: unknown): string {
  const text =
    JSON.stringify(typeof value === 'string' ? value.slice(0, longestQuote) : value) ?? 'undefined';
  return text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text;
}
