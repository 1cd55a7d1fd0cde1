// A preview of a data set, shared by both faces and the command line: its format, how much is learned, its
// problems, and the lengths of its rows.
import type {
  DataFinding,
  DataFindingReport,
  DataMeasurement,
  DataReport,
  PreviewRow,
  PreviewToken,
} from '../contract/index.js';
import { formatBytes, formatCount, formatDuration, formatNumber, plural } from './text/format.js';

/** The title of each finding, and what to do about it. */
export const FINDING_TEXTS: Readonly<Record<DataFinding, { title: string; advice: string }>> = {
  unreadable: {
    title: 'Cannot be read',
    advice: 'Training stops at the first of these rows. Fix or remove them.',
  },
  empty_answer: {
    title: 'Empty answer',
    advice: 'There is nothing to learn. Fill in the answer or remove the row.',
  },
  nothing_learned: {
    title: 'Nothing to learn',
    advice: 'The row has no answer to learn, or all of them have weight 0.',
  },
  too_long: {
    title: 'Too long',
    advice:
      'Training does not start. Shorten these rows or raise maxLength. As long as others are left, tooLong can also be truncate or skip.',
  },
  no_logprobs: {
    title: 'Nothing of a teacher',
    advice:
      'No row has `logprobs`, what a teacher expected, so there is nothing for `softWeight` to learn. Ask the teacher with `soft`, or set `softWeight` to 0.',
  },
  skipped: {
    title: 'Left out, too long',
    advice: 'Training skips these rows. Shorten them or raise maxLength.',
  },
  cut: {
    title: 'Cut off',
    advice:
      'The model never sees the end of these rows, nor learns to stop there. Shorten them or raise maxLength.',
  },
  no_end: {
    title: 'No end of turn',
    advice: "The model does not learn when to stop. Check the base model's chat template.",
  },
  empty_turn: {
    title: 'Empty turn',
    advice: 'One of the answers is empty, which teaches the model to say nothing.',
  },
  lost_thought: {
    title: 'Thought left out',
    advice:
      'The chat template drops this `reasoning_content`, so the model does not learn it. Move it to the last answer, or use a model whose template keeps it.',
  },
  unknown_function: {
    title: 'Unknown function called',
    advice:
      'A call is of a function that is not in the `tools` of its row. Add it there, or correct the name.',
  },
  wrong_arguments: {
    title: 'Wrong arguments',
    advice:
      'The arguments of a call do not fit the schema of its function, so the model learns to make such calls.',
  },
  unmatched_result: {
    title: 'Call without its result',
    advice:
      'Each call needs one message with the role tool and its `tool_call_id` before the conversation continues, and each result a call.',
  },
  other_tokens: {
    title: "Other tokens of the teacher's",
    advice:
      "The teacher wrote a part of the answer in other tokens than the model reads there. What it expected is learned up to that part, and the answer as a whole. If many rows have this, the teacher's tokenizer may be another one: train without `soft`.",
  },
  in_both: {
    title: 'In training and evaluation',
    advice: 'The evaluation loss looks better than it is. Remove the row from one side.',
  },
  duplicate: {
    title: 'Repeated',
    advice: 'The row is the same as an earlier one, and counts as often as it appears.',
  },
  mixed_letters: {
    title: 'Letters of two alphabets in a word',
    advice: 'A Cyrillic or Greek letter that looks like a Latin one becomes different tokens.',
  },
  broken_characters: {
    title: 'Broken characters',
    advice: 'The text was read with the wrong encoding. Export it as UTF-8.',
  },
  tools_as_text: {
    title: 'Tools as text',
    advice:
      "The model's chat template has no place for tools that svc can use. svc describes them in the system message, in training and when the model is served; other servers may not.",
  },
  near_duplicate: {
    title: 'Nearly repeated',
    advice: 'The row differs from an earlier one in a few characters.',
  },
  conflicting: {
    title: 'Same question, different answer',
    advice: 'One of the answers may be wrong, unless several are right.',
  },
  rare_script: { title: 'Rare script', advice: 'Few rows of this data set are written in this script.' },
  long_line: {
    title: 'Very long line',
    advice: 'A line has more than 4,000 characters, as encoded or minified data has.',
  },
};

/** Each grade has a mark as well as a color. */
export const GRADE_MARKS = { error: '✗', warning: '!', note: '·' } as const;

/** `Alpaca: 1,204 rows` @internal */
export function formatsText({ formats, rows }: DataReport): string {
  if (formats.length === 0) return `No known format: ${plural(rows, 'row')}`;
  if (formats.length === 1) return `${titleOf(formats[0]!.name)}: ${plural(rows, 'row')}`;
  return formats.map(({ name, rows: count }) => `${titleOf(name)}: ${plural(count, 'row')}`).join(', ');
}

function titleOf(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

/** Rows whose answers are not given, but sampled in training. */
function isPrompts({ formats }: DataReport): boolean {
  return formats.length > 0 && formats.every(({ name }) => name === 'prompts');
}

/** Null if all rows were checked. */
export function sampleText({ rows, checked }: DataReport): string | null {
  if (checked >= rows) return null;
  return `Checked ${formatCount(checked)} of ${plural(rows, 'row')}: the first ones, random ones and the longest. The figures are of these.`;
}

/** `16,106 of 41,950 tokens are learned (38%)`, or `24,273 tokens of prompts` */
function learnedText(report: DataReport): string {
  const { tokens, learned } = report.training;
  if (isPrompts(report)) return `${plural(tokens, 'token')} of prompts`;
  // Only all of them are 100%.
  const percent = learned === tokens ? 100 : Math.min(99, (100 * learned) / tokens);
  const share = tokens === 0 ? '' : ` (${formatNumber(percent, 2)}%)`;
  return `${formatCount(learned)} of ${plural(tokens, 'token')} ${tokens === 1 ? 'is' : 'are'} learned${share}`;
}

/** The figures as label and text. */
export function dataFacts(report: DataReport): (readonly [name: string, value: string])[] {
  const { training, evaluation, totalSteps, lengths, maxLength } = report;
  const rowsOf = ({ rows, skipped }: typeof training) =>
    skipped === 0 ? plural(rows, 'row') : `${plural(rows, 'row')}, ${formatCount(skipped)} left out`;
  return [
    ['Recognized', formatsText(report)],
    ['Training', rowsOf(training)],
    ...(evaluation ? ([['Evaluation', rowsOf(evaluation)]] as const) : []),
    ['Each epoch', learnedText(report)],
    ['Steps', formatCount(totalSteps)],
    ...(lengths
      ? ([
          [
            'Length',
            `${formatCount(lengths.shortest)} to ${plural(lengths.longest, 'token')}, median ${formatCount(lengths.median)}; limit ${formatCount(maxLength)}`,
          ],
        ] as const)
      : []),
  ];
}

/** `about 4 min on this machine (1.2 s per step, 412 MB of memory)` */
export function measurementText({ seconds, secondsPerStep, memory }: DataMeasurement): string {
  const time = formatDuration(1000 * Math.max(1, seconds));
  return `About ${time} on this machine (${formatNumber(secondsPerStep, 2)} s per step), ${formatBytes(memory)} of memory`;
}

interface LengthBar {
  /** `50–99` */
  readonly label: string;
  readonly rows: number;
  /** Relative to the longest bar, from 0 to 1. */
  readonly share: number;
  /** Its rows exceed the limit, or may. */
  readonly isOver: boolean;
  /** The limit is inside this bar or right before it. */
  readonly hasLimit: boolean;
}

/** At most `most` bars; if there are more, neighbors are merged. */
export function lengthBars({ lengths, maxLength }: DataReport, most = Infinity): LengthBar[] {
  const bins = joinBins(lengths?.bins ?? [], most);
  const longest = Math.max(1, ...bins.map(({ rows }) => rows));
  return bins.map(({ from, to, rows }) => ({
    label: to - from === 1 ? formatCount(from) : `${formatCount(from)}–${formatCount(to - 1)}`,
    rows,
    share: rows / longest,
    isOver: to - 1 > maxLength,
    hasLimit: from <= maxLength && maxLength < to,
  }));
}

/** Out of `room` cells; a bar with rows gets at least one. */
export function barCells({ rows, share }: LengthBar, room: number): number {
  return rows === 0 ? 0 : Math.max(1, Math.round(share * room));
}

type Bins = NonNullable<DataReport['lengths']>['bins'];

function joinBins(bins: Bins, most: number): Bins {
  const size = Math.max(1, Math.ceil(bins.length / most));
  return Array.from({ length: Math.ceil(bins.length / size) }, (_, index) => {
    const joined = bins.slice(index * size, (index + 1) * size);
    const rows = joined.reduce((sum, bin) => sum + bin.rows, 0);
    return { from: joined[0]!.from, to: joined.at(-1)!.to, rows };
  });
}

/** `train.jsonl:3, train.jsonl:7, …` */
export function findingRows({ first, rows }: DataFindingReport): string {
  const named = first.slice(0, 3).map(({ file, number }) => `${file}:${number}`);
  return rows > named.length ? [...named, '…'].join(', ') : named.join(', ');
}

/** What is wrong with the first of the rows, if that differs from row to row, and what to do. */
export function findingAdvice({ name, reason }: Pick<DataFindingReport, 'name' | 'reason'>): string {
  const { advice } = FINDING_TEXTS[name];
  return reason === undefined ? advice : `The first: ${reason.replace(/\.$/, '')}. ${advice}`;
}

/** The findings in a sentence: `Cut off: 3 rows (train.jsonl:2, …)` */
function findingText(finding: DataFindingReport): string {
  const text = `${FINDING_TEXTS[finding.name].title}: ${plural(finding.rows, 'row')} (${findingRows(finding)})`;
  return finding.reason === undefined ? text : `${text}. The first: ${finding.reason}`;
}

/** Notes about the model, rather than about single rows. */
const SAID_BEFORE_TRAINING: ReadonlySet<DataFinding> = new Set(['tools_as_text']);

interface DataSummary {
  readonly line: string;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** `Tools as text: 3 rows. The model's chat template…` */
  readonly notes: readonly string[];
}

/** A short summary for the start of a run: the worst findings first, without notes about rows. */
export function dataSummary(report: DataReport): DataSummary {
  const of = (grade: string) => report.findings.filter(finding => finding.grade === grade).map(findingText);
  const sampled = report.checked < report.rows ? ` of ${formatCount(report.checked)} rows checked` : '';
  const { evaluation } = report;
  const heldOut = evaluation ? `, ${formatCount(evaluation.rows)} of them held out` : '';
  return {
    line: `Data: ${formatsText(report)}${heldOut}; ${learnedText(report)}${sampled}.`,
    errors: of('error'),
    warnings: of('warning'),
    notes: report.findings
      .filter(({ name }) => SAID_BEFORE_TRAINING.has(name))
      .map(
        ({ name, rows }) =>
          `${FINDING_TEXTS[name].title}: ${plural(rows, 'row')}. ${findingAdvice({ name })}`,
      ),
  };
}

/** Whether a row is for training or evaluation, and how much of it is learned. */
export function rowFacts({ side, length, seen, learned, refusal }: PreviewRow): string {
  if (refusal !== null) return refusal;
  const cut = length - seen;
  const parts = [
    side === 'training' ? 'training' : 'evaluation',
    plural(length, 'token'),
    `${formatCount(learned)} learned`,
    ...(seen === 0 ? ['left out'] : cut > 0 ? [`${formatCount(cut)} cut off`] : []),
  ];
  return parts.join(' · ');
}

interface TokenRun {
  readonly text: string;
  readonly kind: PreviewToken['kind'];
  readonly special: boolean;
  /** The number of tokens. */
  readonly tokens: number;
}

/** Groups neighboring tokens of the same kind; special tokens stay separate. */
export function tokenRuns(tokens: readonly PreviewToken[]): TokenRun[] {
  const runs: TokenRun[] = [];
  for (const { text, kind, special, ids } of tokens) {
    const last = runs.at(-1);
    if (last && !special && !last.special && last.kind === kind)
      runs[runs.length - 1] = { ...last, text: last.text + text, tokens: last.tokens + ids.length };
    else runs.push({ text, kind, special, tokens: ids.length });
  }
  return runs;
}
