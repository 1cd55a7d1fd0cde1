// What a check keeps of each row that it has looked at, in some forty bytes, since there may be millions.

export class RowMarks {
  /** Places among all rows: those of the data set, then those of the separate evaluation data set. */
  readonly rows: Uint32Array;
  readonly findings: Uint32Array;
  /** In tokens, before truncation; 0 for a row that cannot be trained on. */
  readonly lengths: Uint32Array;
  readonly isTrained: Uint8Array;
  readonly scripts: Uint32Array;
  /** Hashes of the whole row, and of what is only read. 0 for a row that cannot be trained on. */
  readonly identities: Float64Array;
  readonly questions: Float64Array;
  /** The place of another row that it repeats, plus 1; 0 if there is none. */
  readonly repeats: Uint32Array;
  /** How many are filled in. */
  length = 0;

  constructor(count: number) {
    this.rows = new Uint32Array(count);
    this.findings = new Uint32Array(count);
    this.lengths = new Uint32Array(count);
    this.isTrained = new Uint8Array(count);
    this.scripts = new Uint32Array(count);
    this.identities = new Float64Array(count);
    this.questions = new Float64Array(count);
    this.repeats = new Uint32Array(count);
  }

  mark(at: number, bit: number, repeated?: number): void {
    this.findings[at] = this.findings[at]! | bit;
    if (repeated !== undefined && this.repeats[at] === 0) this.repeats[at] = this.rows[repeated]! + 1;
  }
}
