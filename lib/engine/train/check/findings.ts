// What a check of a data set looks for, the most serious first. Errors make a run fail, warnings spoil it, and notes are
// worth a look.

export type FindingGrade = 'error' | 'warning' | 'note';

export const FINDINGS = {
  unreadable: 'error',
  empty_answer: 'error',
  nothing_learned: 'error',
  too_long: 'error',
  skipped: 'warning',
  cut: 'warning',
  no_end: 'warning',
  empty_turn: 'warning',
  in_both: 'warning',
  duplicate: 'warning',
  mixed_letters: 'warning',
  broken_characters: 'warning',
  near_duplicate: 'note',
  conflicting: 'note',
  rare_script: 'note',
  long_line: 'note',
} as const satisfies Readonly<Record<string, FindingGrade>>;

export type FindingName = keyof typeof FINDINGS;

export const FINDING_NAMES = Object.keys(FINDINGS) as FindingName[];

/** A row's findings as the bits of a number. */
export function bitOf(name: FindingName): number {
  return 1 << FINDING_NAMES.indexOf(name);
}

export function namesOf(bits: number): FindingName[] {
  return FINDING_NAMES.filter(name => (bits & bitOf(name)) !== 0);
}
