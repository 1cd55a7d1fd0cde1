// The errors of tokenizers, chat templates, and the rows and settings of runs.
import { NO_CHAT_TEMPLATE } from '../../contract/index.js';

/**
 * A tokenizer, chat template or conversation cannot be used, or the rows and the settings of a run do not fit together. The
 * message names the file and the reason, and is for whoever gave them.
 */
export class TextError extends Error {
  override readonly name: string = 'TextError';
}

/** The model has no chat template, whatever the conversation or row. */
export class NoTemplateError extends TextError {
  constructor() {
    super(NO_CHAT_TEMPLATE);
  }
}

/** A row has nothing to learn: its answers are empty, or all of it is masked. */
export class NothingToLearnError extends TextError {
  readonly isEmpty: boolean;

  constructor(message: string, { isEmpty }: { isEmpty: boolean }) {
    super(message);
    this.isEmpty = isEmpty;
  }
}

/** A row of a data set cannot be used for training. */
export class RowError extends TextError {
  override readonly name = 'RowError';
  readonly file: string;
  /** Counted from 1. */
  readonly row: number;
  readonly reason: string;

  constructor(file: string, row: number, reason: string, options?: ErrorOptions) {
    super(`${file}, row ${row}: ${reason}`, options);
    this.file = file;
    this.row = row;
    this.reason = reason;
  }
}

/** Undefined if a template rejects what it should render, which is an error only where that is used. */
export function unlessRejected<Result>(render: () => Result): Result | undefined {
  try {
    return render();
  } catch (error) {
    if (error instanceof TextError) return undefined;
    throw error;
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
