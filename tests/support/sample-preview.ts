// A data set of eight rows with some faults, as a cloud would preview it.
import type {
  DataFinding,
  DataPreview,
  PreviewRow,
  PreviewToken,
  StudioDataPreviewInput,
} from '../../lib/contract/index.js';

type Kind = PreviewToken['kind'];

const token = (text: string, kind: Kind, special = false): PreviewToken => ({
  ids: [text.length],
  text,
  kind,
  special,
});

function tokensOf(prompt: string, answer: string, isCut: boolean): PreviewToken[] {
  const last: Kind = isCut ? 'cut' : 'learned';
  return [
    token('<|im_start|>', 'read', true),
    token('user', 'read'),
    token('\n', 'read'),
    token(prompt, 'read'),
    token('<|im_end|>', 'read', true),
    token('\n', 'read'),
    token(answer, 'learned'),
    token(' indeed', last),
    token('<|im_end|>', last, true),
  ];
}

const cases: readonly (readonly [prompt: string, answer: string, findings: DataFinding[]])[] = [
  ['The app crashes when I log in.', 'bug', []],
  ['Could you add a calendar?', 'wish', []],
  ['I was charged twice.', 'bill', ['cut']],
  ['Great work!', 'praise', []],
  ['Great work!', 'praise', ['duplicate']],
  ['Where is my pаrcel?', 'lost', ['mixed_letters']],
  ['How do I pay?', 'bill', ['cut']],
  ['Thanks', 'praise', []],
];

const all: PreviewRow[] = cases.map(([prompt, answer, findings], row) => {
  const tokens = tokensOf(prompt, answer, findings.includes('cut'));
  const kept = tokens.filter(({ kind }) => kind !== 'cut');
  return {
    row,
    file: 'train.jsonl',
    number: row + 1,
    side: row === 7 ? 'evaluation' : 'training',
    length: tokens.length,
    seen: kept.length,
    learned: kept.filter(({ kind }) => kind === 'learned').length,
    findings,
    refusal: null,
    like: findings.includes('duplicate') ? { file: 'train.jsonl', number: 4 } : null,
    prompt,
    answer,
    views: [{ label: null, tokens, omitted: 0 }],
  };
});

const nameOf = ({ file, number }: PreviewRow) => ({ file, number });
const withFinding = (name: DataFinding) => all.filter(({ findings }) => findings.includes(name));

export function samplePreview(input: StudioDataPreviewInput = {}): DataPreview {
  const { finding, row, limit = 20, cursor = '0', tokens, measure } = input;
  const matching = all
    .filter(entry => finding === undefined || entry.findings.includes(finding))
    .filter(entry => row === undefined || entry.number === row);
  const end = Number(cursor) + limit;
  const rows = matching.slice(Number(cursor), end);
  return {
    report: {
      name: 'train.jsonl',
      formats: [{ name: 'Alpaca', rows: 8 }],
      rows: 8,
      checked: 8,
      training: { rows: 7, checked: 7, skipped: 0, tokens: 60, learned: 18 },
      evaluation: { rows: 1, checked: 1, skipped: 0, tokens: 9, learned: 3 },
      totalSteps: 12,
      maxLength: 8,
      lengths: {
        shortest: 5,
        median: 7,
        longest: 11,
        bins: [
          { from: 4, to: 6, rows: 2 },
          { from: 6, to: 8, rows: 4 },
          { from: 8, to: 12, rows: 2 },
        ],
      },
      findings: (['cut', 'duplicate', 'mixed_letters'] as const).map(name => ({
        name,
        grade: 'warning',
        rows: withFinding(name).length,
        first: withFinding(name).map(nameOf),
      })),
    },
    rows: rows.map(entry => (tokens ? entry : { ...entry, views: [] })),
    total: matching.length,
    nextCursor: end < matching.length ? String(end) : null,
    measurement: measure
      ? { steps: 5, secondsPerStep: 1.5, tokensPerSecond: 400, seconds: 18, memory: 412_000_000 }
      : null,
  };
}

/** The same without faults. */
export function cleanPreview(input: StudioDataPreviewInput): DataPreview {
  const preview = samplePreview(input);
  return { ...preview, report: { ...preview.report, findings: [] } };
}
