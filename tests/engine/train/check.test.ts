// A check finds what is wrong with a data set, and its numbers are those of the training that follows.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CheckRequest, openCheck } from '../../../lib/engine/train/check/open-check.js';
import { countLabels } from '../../../lib/engine/train/packing.js';
import { prepareTraining } from '../../../lib/engine/train/prepare.js';
import { train } from '../../../lib/engine/train/trainer.js';
import { tinyModel } from '../tiny-model.js';
import { temporaryFolder } from './data/dataset-files.js';
import { chat, trainRequest, writeRows } from './support.js';

const modelFolder = await tinyModel();

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const words = ['apple', 'river', 'stone', 'cloud', 'paper', 'light', 'green', 'table', 'music', 'ocean'];
/** Rows that have nothing in common but letters. */
const plain = (i: number) => {
  const word = (at: number) => words[at % 10];
  return chat(`${word(i)} ${word(i * 7 + 3)} ${i}?`, `${word(i * 3 + 1)} ${word(i + 5)} ${i * i}`);
};
const plainRows = (count: number) => Array.from({ length: count }, (_, i) => plain(i));
const long = 'and so on and on '.repeat(30);

const PACE = { batchSize: 4, gradientAccumulationSteps: 1, numTrainEpochs: 3, maxSteps: null, seed: 42 };
const USUAL = {
  trainOn: 'assistant',
  tooLong: 'truncate',
  maxLength: 128,
  effort: 'usual',
  ...PACE,
} as const;

type Rows = readonly unknown[];
type Changes = Partial<CheckRequest> & { more?: Rows };

async function check(rows: Rows, { more, ...changes }: Changes = {}) {
  const [path, held] = [join(folder, 'rows.jsonl'), join(folder, 'held.jsonl')];
  await writeRows(path, rows);
  if (more) await writeRows(held, more);
  return openCheck({
    modelFolder,
    source: { type: 'file', path },
    ...(more && { evaluationSource: { type: 'file', path: held } }),
    folder,
    cacheFolder: folder,
    ...USUAL,
    ...changes,
  });
}

const ALL = { finding: null, number: null, skip: 0, limit: 1000, tokens: 0 };

/** The grade of each finding, and the numbers of its rows. */
async function findingsOf(rows: Rows, changes?: Changes) {
  const checked = await check(rows, changes);
  const found = checked.report.findings.map(({ name, grade, rows: count }) => {
    const listed = checked.list({ ...ALL, finding: name });
    expect([listed.total, listed.rows.length]).toEqual([count, count]);
    return [name, [grade, ...listed.rows.map(({ number }) => number)]] as const;
  });
  checked.close();
  return Object.fromEntries(found);
}

const tools = [
  {
    type: 'function',
    function: {
      name: 'weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];
let called = 0;
/** A row that calls, with as many results as calls unless it is said. */
function calling({
  tools,
  calls,
  results = calls.length,
}: {
  tools?: object[];
  calls: string[];
  results?: number;
}) {
  const made = calls.map((text, i) => ({
    id: `c${i}`,
    type: 'function',
    function: { name: 'weather', arguments: text },
  }));
  const answers = made
    .slice(0, results)
    .map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'dry' }));
  const [question, answer] = plain(++called).messages;
  return {
    messages: [question, { role: 'assistant', content: null, tool_calls: made }, ...answers, answer],
    ...(tools && { tools }),
  };
}

const turns = (...contents: string[]) => ({
  messages: contents.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content })),
});
const [asked, answered] = plain(3).messages;
const lengths = [plain(1), chat('long?', long), chat(long, 'short')];
const story =
  'The baker of the old town opened his shop at dawn, and the smell of bread went down the street to the river.';
const instruction = 'Read the sentence with care and answer with the one word that says what it is about: ';
const endless = await tinyModel({
  'tokenizer_config.json': {
    chat_template: "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}",
    eos_token: '<|endoftext|>',
  },
});

const thinking = (thought: string) => ({
  messages: [asked!, { ...answered!, reasoning_content: thought }],
});
const otherwise = { ...plain(9).messages[1]!, thinking: 'A dog.' };
const thinker = await tinyModel({
  'tokenizer_config.json': {
    chat_template: `{{ '' if enable_thinking else '/off' }}{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' }}
{%- if loop.last and m['role'] == 'assistant' %}{{ '<think>' + (m['reasoning_content'] or '') + '</think>' }}{% endif %}
{{- m['content'] + '<|im_end|>\n' }}{% endfor %}`,
    eos_token: '<|endoftext|>',
  },
});

describe('a check finds', () => {
  it.each<[string, Rows, object, Changes?]>([
    ['nothing in good rows', plainRows(60), {}],
    [
      'rows that cannot be read',
      [...plainRows(3), { messages: [{ role: 'narrator', content: 'once' }] }, { other: 1 }, plain(9)],
      { unreadable: ['error', 4, 5] },
    ],
    [
      'rows without an answer, and turns without one',
      [plain(2), chat('what?', '  '), { messages: [...plain(1).messages, ...chat('more?', ' ').messages] }],
      { empty_answer: ['error', 2], empty_turn: ['warning', 3] },
    ],
    [
      'rows that learn nothing',
      [plain(1), { messages: [asked] }, { messages: [asked, { ...answered, weight: 0 }] }],
      { nothing_learned: ['error', 2, 3] },
    ],
    ['rows that are cut for their length', lengths, { skipped: ['warning', 3], cut: ['warning', 2] }],
    ['rows left out for their length', lengths, { skipped: ['warning', 2, 3] }, { tooLong: 'skip' }],
    [
      'rows that are all left out for their length',
      lengths.slice(1),
      { too_long: ['error', 1, 2] },
      { tooLong: 'skip' },
    ],
    ['rows refused for their length', lengths, { too_long: ['error', 2, 3] }, { tooLong: 'error' }],
    ['answers without an end', plainRows(3), { no_end: ['warning', 1, 2, 3] }, { modelFolder: endless }],
    ['rows that repeat others', [...plainRows(4), plain(1), plain(1)], { duplicate: ['warning', 5, 6] }],
    [
      'thoughts that the template has no place for, or not there',
      [
        thinking('The fox.'),
        { messages: [...thinking('Early.').messages, ...plain(1).messages] },
        { messages: [asked, { ...answered, reasoning_content: 1 }] },
      ],
      { unreadable: ['error', 3], lost_thought: ['warning', 2] },
      { modelFolder: thinker },
    ],
    [
      'thoughts without a place, under either name',
      [thinking('The fox.'), { messages: [...plain(9).messages.slice(0, 1), otherwise] }, plain(1)],
      { lost_thought: ['warning', 1, 2] },
    ],
    [
      'calls that do not fit the tools of their row, and results that answer none',
      [
        calling({ tools, calls: ['{"city":"Oslo"}'] }),
        calling({ calls: ['{}'] }),
        calling({ tools, calls: ['{"city":1}'] }),
        calling({ tools, calls: ['{"city":"Rome"}'], results: 0 }),
      ],
      {
        unknown_function: ['warning', 2],
        wrong_arguments: ['warning', 3],
        unmatched_result: ['warning', 4],
        tools_as_text: ['note', 1, 3, 4],
      },
      { maxLength: 2000 },
    ],
    [
      'rows on both sides',
      plainRows(4),
      { in_both: ['warning', 2], duplicate: ['warning', 3] },
      { more: [plain(8), plain(2), plain(8)] },
    ],
    [
      'rows that nearly repeat others',
      [...plainRows(30), ...[story, story.replace('dawn', 'noon')].map(text => chat(text, 'About a baker.'))],
      { near_duplicate: ['note', 32] },
    ],
    [
      'no repetition in rows that share an instruction',
      plainRows(40).map(({ messages: [question, answer] }) =>
        chat(instruction + question!.content, answer!.content),
      ),
      {},
    ],
    [
      'one question with different answers',
      [...plainRows(3), chat('why?', 'because'), chat('why?', 'no reason')],
      { conflicting: ['note', 4, 5] },
    ],
    [
      'conversations that end in different answers',
      [...plainRows(3), turns('how?', 'so', 'and?', 'it stops'), turns('how?', 'so', 'and?', 'it goes on')],
      { conflicting: ['note', 4, 5] },
    ],
    [
      'letters of another script in a word, scripts that few rows use, and broken characters',
      [
        ...plainRows(60),
        chat('pаypal?', 'yes'), // The second letter is Cyrillic.
        chat('да?', 'нет'),
        chat('cafÃ©?', 'yes'),
        chat('how \uFFFD?', 'yes'),
        chat('5 μm and kΩ?', 'small'),
      ],
      { mixed_letters: ['warning', 61], broken_characters: ['warning', 63, 64], rare_script: ['note', 62] },
    ],
    [
      'very long lines',
      [plain(1), chat('a', 'x'.repeat(4001)), chat('b', `${'y'.repeat(4000)}\n${'z'.repeat(10)}`)],
      { cut: ['warning', 2, 3], long_line: ['note', 2] },
    ],
  ])('%s', async (_, rows, expected, changes) => {
    expect(await findingsOf(rows, changes)).toEqual(expected);
  });

  it('no row on both sides of a split, since rows that repeat each other stay together', async () => {
    const rows = Array.from({ length: 80 }, (_, i) => plain(i % 40));
    const checked = await check(rows, { evaluationFraction: 0.25 });
    expect(checked.list({ ...ALL, finding: 'in_both' }).total).toBe(0);
    const sides = new Map(checked.list(ALL).rows.map(({ number, isTrained }) => [number, isTrained]));
    checked.close();
    const pairs = plainRows(40).map((_, i) => [sides.get(i + 1), sides.get(i + 41)]);
    expect(pairs.filter(([first, second]) => first !== second)).toEqual([]);
    expect(new Set(pairs.map(([first]) => first))).toEqual(new Set([true, false]));
  });

  it('no conflict between conversations that share their questions, but not what was answered before', async () => {
    const rows = [
      turns('why?', 'because', 'and then?', 'it rains'),
      turns('why?', 'no reason', 'and then?', 'it snows'),
      turns('how?', 'like this', 'and then?', 'it stops'),
      turns('how?', 'like this', 'and then?'),
    ];
    expect(await findingsOf([...plainRows(3), ...rows])).not.toHaveProperty('conflicting');
  });
});

describe('the numbers of a check', () => {
  const rows = [
    ...plainRows(50),
    ...lengths.slice(1),
    { prompt: 'p?', completion: 'c' },
    { instruction: 'say', input: 'it', output: 'it' },
  ];

  it.each([
    ['a small data set', undefined],
    ['rows held out', 0.2],
  ])('are those of the training: %s', async (_, evaluationFraction) => {
    const checked = await check(rows, { evaluationFraction });
    const options = { loraR: 2, batchSize: 4, maxLength: 128, threads: 1 };
    const prepared = await prepareTraining(
      await trainRequest(folder, 'run', rows, { modelFolder, options, evaluationFraction }),
    );
    const { examples, evaluation: held } = prepared.job;
    const started = (await train(prepared.job).next()).value as { totalSteps: number; trainTokens: number };
    const { training, evaluation, totalSteps, formats, lengths: spread } = checked.report;
    expect([training.learned, totalSteps]).toEqual([started.trainTokens, started.totalSteps]);
    expect(training.rows - training.skipped).toBe(examples.length);
    expect((evaluation?.rows ?? 0) - (evaluation?.skipped ?? 0)).toBe(held.length);
    const places = [examples, held].flatMap(set =>
      Array.from({ length: set.length }, (_, i) => ({ set, i })),
    );
    let tokens = 0;
    for (const { set, i } of places) {
      const example = set.at(i)!;
      const row = checked.list({ ...ALL, limit: 1, skip: set.rowOf?.(i) ?? i, tokens: 10_000 }).rows[0]!;
      expect(row.isTrained).toBe(set === examples);
      const kept = row.texts[0]!.pieces.filter(({ kind }) => kind !== 'cut');
      expect(kept.flatMap(({ ids }) => ids)).toEqual([...Array.from(example.ids)]);
      const learned = kept.filter(({ kind }) => kind === 'learned').flatMap(({ ids }) => ids).length;
      const labels = countLabels(example);
      expect([row.tokens, row.learned, learned]).toEqual([example.ids.length, labels, labels]);
      if (row.isTrained) tokens += example.ids.length;
    }
    expect(training.tokens).toBe(tokens);
    expect(formats.map(({ name, rows: count }) => `${count} ${name}`)).toEqual([
      '52 messages',
      '1 prompt and completion',
      '1 Alpaca',
    ]);
    expect(spread!.bins.reduce((sum, bin) => sum + bin.rows, 0)).toBe(rows.length);
    prepared.close();
    checked.close();
  });

  it('are of a sample for a large data set, which says so', async () => {
    const checked = await check(plainRows(3000), { effort: 'quick' });
    const { report } = checked;
    expect(report.rows).toBe(3000);
    expect(report.checked).toBeLessThan(1500);
    expect(report.training).toMatchObject({ rows: 3000, checked: report.checked });
    expect(checked.list({ ...ALL, number: 2999 }).rows).toMatchObject([{ number: 2999 }]);
    checked.close();
  });
});

describe('a row', () => {
  /** The texts of all rows. */
  async function textsOf(rows: Rows, changes?: Changes) {
    const checked = await check(rows, changes);
    const listed = checked.list({ ...ALL, tokens: 10_000 }).rows.map(({ texts }) => texts);
    checked.close();
    return listed;
  }

  it('shows its tokens with markers, and what is cut off', async () => {
    const { pieces } = (await textsOf([chat('long?', long), plain(1)]))[0]![0]!;
    const text = (wanted: string) =>
      pieces.flatMap(({ kind, text: said }) => (kind === wanted ? said : [])).join('');
    expect(text('read')).toContain('long?');
    expect(long.startsWith(text('learned'))).toBe(true);
    expect(text('learned') + text('cut')).toContain(long.trim());
    const markers = pieces.filter(({ special }) => special).map(({ kind }) => kind);
    expect(markers.length).toBeGreaterThan(1);
    expect(markers).toContain('cut');
  });

  it('with two answers shows both, and is compared as a whole', async () => {
    const pair = { prompt: 'well?', chosen: 'yes', rejected: 'no' };
    const rows = [pair, { ...pair, rejected: long }, pair];
    const method = { method: 'dpo' } as const;
    expect(Object.entries(await findingsOf(rows, method))).toEqual([
      ['cut', ['warning', 2]],
      ['duplicate', ['warning', 3]],
    ]);
    const [first, second] = await textsOf(rows, method);
    const learned = first!.map(({ label, pieces }) => {
      const own = pieces.filter(({ kind, special }) => kind === 'learned' && !special);
      return [label, own.map(({ text }) => text).join('')];
    });
    expect(learned).toEqual(Object.entries({ chosen: 'yes', rejected: 'no' }));
    const cut = second!.map(({ pieces }) => pieces.some(({ kind }) => kind === 'cut'));
    expect(cut).toEqual([false, true]);
  });

  it('is found by its number in the file', async () => {
    const path = join(folder, 'blank.jsonl');
    await writeFile(path, `${JSON.stringify(plain(1))}\n\n\n${JSON.stringify(plain(2))}\n`);
    const checked = await check([], { source: { type: 'file', path } });
    const numbers = [1, 2, 4, 5].map(number => checked.list({ ...ALL, number }).rows.map(({ row }) => row));
    expect(numbers).toEqual([[0], [], [1], []]);
    checked.close();
  });

  it('with a character of several tokens is one piece', async () => {
    const { pieces } = (await textsOf([chat('ok?', 'a 漢 b')]))[0]![0]!;
    expect(pieces.map(({ text }) => text).join('')).toContain('a 漢 b');
    expect(pieces.find(({ text }) => text.includes('漢'))!.ids.length).toBeGreaterThan(1);
  });
});

it('reads rows with the variables of the chat template, as training does', async () => {
  const textWith = async (variables?: Record<string, unknown>) => {
    const { list, close } = await check([plain(1)], { modelFolder: thinker, variables });
    const [row] = list({ ...ALL, tokens: 100 }).rows;
    close();
    return row!.texts[0]!.pieces.map(piece => piece.text).join('');
  };
  expect(await textWith()).toContain('/off');
  expect(await textWith({ enable_thinking: true })).not.toContain('/off');
});
