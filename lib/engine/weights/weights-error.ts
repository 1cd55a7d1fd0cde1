// The one error of this room: which file, which tensor, and what is wrong with it.

interface Details {
  tensor?: string;
  cause?: unknown;
}

/** A weight file or an adapter is not what it should be. The message names the file and, where there is one, the tensor. */
export class WeightsError extends Error {
  override readonly name = 'WeightsError';
  readonly file: string;
  readonly tensor: string | undefined;

  constructor(file: string, problem: string, { tensor, cause }: Details = {}) {
    const subject = tensor === undefined ? '' : `tensor ${quote(tensor)} `;
    super(`${file}: ${subject}${problem}`, cause === undefined ? {} : { cause });
    this.file = file;
    this.tensor = tensor;
  }
}

const longestQuote = 160;

/** Any value as it may stand in a message: as JSON, never long, whatever a broken file holds. */
export function quote(value: unknown): string {
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, longestQuote) : value) ?? 'nothing';
  return text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text;
}
