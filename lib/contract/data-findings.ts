// What a check of a data set can find, as plain values: pages in the browser use them without schemas.

/** The most serious first. */
export const DATA_FINDINGS = [
  'unreadable',
  'empty_answer',
  'nothing_learned',
  'too_long',
  'skipped',
  'cut',
  'no_end',
  'empty_turn',
  'in_both',
  'duplicate',
  'mixed_letters',
  'broken_characters',
  'near_duplicate',
  'conflicting',
  'rare_script',
  'long_line',
] as const;

export type DataFinding = (typeof DATA_FINDINGS)[number];

/** Errors make a run fail, warnings spoil it, and notes are worth a look. */
export const DATA_GRADES = ['error', 'warning', 'note'] as const;

/** How many rows are checked: about a thousand, some tens of thousands, or all. */
export const DATA_EFFORTS = ['quick', 'usual', 'all'] as const;

export const TOKEN_KINDS = ['learned', 'read', 'cut'] as const;
