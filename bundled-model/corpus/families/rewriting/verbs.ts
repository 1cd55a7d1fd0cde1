// Verb forms and sentences that use them.
import { type Change, VERB_ROWS } from './grammar.js';

interface Verb {
  base: string;
  past: string;
  participle: string;
  ing: string;
}

interface Clause {
  /** "I", "We", "They" or a name. */
  subject: string;
  verb: Verb;
  object: string;
}

export const VERBS: readonly Verb[] = VERB_ROWS.map(row => {
  const [base, past, participle, ing] = row.split(' ') as [string, string, string, string];
  return { base, past, participle, ing };
});

const isThird = (subject: string) => !['I', 'We', 'They'].includes(subject);

export function toThird(base: string): string {
  if (/(?:s|x|sh|ch)$/.test(base)) return `${base}es`;
  return /[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}ies` : `${base}s`;
}

/** The plain sentence in the present. */
export const toPresent = ({ subject, verb, object }: Clause) =>
  `${subject} ${isThird(subject) ? toThird(verb.base) : verb.base} ${object}.`;

/** The changed sentence; `name` is the new subject for a change of person. */
export function change(clause: Clause, wanted: Change, name: string): string {
  const { subject, verb, object } = clause;
  const does = isThird(subject) ? 'does' : 'do';
  if (wanted === 'present') return toPresent(clause);
  if (wanted === 'past') return `${subject} ${verb.past} ${object}.`;
  if (wanted === 'future') return `${subject} will ${verb.base} ${object}.`;
  if (wanted === 'running') return `${subject} ${toBe(subject)} ${verb.ing} ${object}.`;
  if (wanted === 'negative') return `${subject} ${does} not ${verb.base} ${object}.`;
  if (wanted === 'person') return toPresent({ ...clause, subject: name });
  const inside = isThird(subject) || subject === 'I' ? subject : subject.toLowerCase();
  if (wanted === 'question') return `${does === 'do' ? 'Do' : 'Does'} ${inside} ${verb.base} ${object}?`;
  const were = / and |^\d/.test(object) ? 'were' : 'was';
  return `${object[0]!.toUpperCase()}${object.slice(1)} ${were} ${verb.participle} by ${toWhom(subject)}.`;
}

function toBe(subject: string): string {
  if (subject === 'I') return 'am';
  return isThird(subject) ? 'is' : 'are';
}

const toWhom = (subject: string) => ({ I: 'me', We: 'us', They: 'them' })[subject] ?? subject;
