// A check finds what is wrong with a data set, and its numbers are those of the training that follows.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FindingName } from '../../../lib/engine/train/check/findings.js';
import { type CheckRequest, openCheck } from '../../../lib/engine/train/check/index.js';
import { countLabels } from '../../../lib/engine/train/packing.js';
import { prepareTraining, type TrainRequest } from '../../../lib/engine/train/prepare.js';
import { train } from '../../../lib/engine/train/trainer.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { temporaryFolder } from './data/dataset-files.js';

let modelFolder: string;
beforeAll(async () => {
  modelFolder = await makeModelFolder();
});
afterAll(() => rm(modelFolder, { recursive: true, force: true }));

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const chat = (question: string, answer: string) => ({
  messages: [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ],
});
const words = ['apple', 'river', 'stone', 'cloud', 'paper', 'light', 'green', 'table', 'music', 'ocean'];
/** Rows that have nothing in common but letters. */
const plain = (i: number) =>
  chat(
    `${words[i % 10]} ${words[(i * 7 + 3) % 10]} ${i}?`,
    `${words[(i * 3 + 1) % 10]} ${words[(i + 5) % 10]} ${i * i}`,
  );
const plainRows = (count: number) => Array.from({ length: count }, (_, i) => plain(i));

type Changes = Partial<Omit<CheckRequest, 'source' | 'folder' | 'modelFolder'>> & {
  more?: readonly object[];
};

async function write(name: string, rows: readonly unknown[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, rows.map(row => JSON.stringify(row)).join('\n'));
  return path;
}

async function check(rows: readonly unknown[], { more, ...changes }: Changes = {}) {
  const path = await write('rows.jsonl', rows);
  const evaluation = more ? await write('held.jsonl', more) : null;
  return openCheck({
    modelFolder,
    source: { type: 'file', path },
    ...(evaluation && { evaluationSource: { type: 'file', path: evaluation } }),
    folder,
    cacheFolder: folder,
    trainOn: 'assistant',
    tooLong: 'truncate',
    maxLength: 128,
    seed: 42,
    batchSize: 4,
    accumulation: 1,
    epochs: 3,
    maxSteps: null,
    effort: 'usual',
    ...changes,
  });
}

const ALL = { finding: null, number: null, skip: 0, limit: 1000, tokens: 0 };

/** The numbers of the rows with a finding, by its name. */
async function findingsOf(rows: readonly unknown[], changes?: Changes) {
  const checked = await check(rows, changes);
  const found = checked.report.findings.map(({ name, grade, rows: count }) => {
    const listed = checked.list({ ...ALL, finding: name });
    expect([listed.total, listed.rows.length]).toEqual([count, count]);
    return [name, { grade, numbers: listed.rows.map(({ number }) => number) }] as const;
  });
  checked.close();
  return Object.fromEntries(found) as Partial<Record<FindingName, { grade: string; numbers: number[] }>>;
}

const long = 'and so on and on '.repeat(30);

describe('a check finds', () => {
  it('nothing in good rows', async () => {
    expect(await findingsOf(plainRows(60))).toEqual({});
  });

  it('rows that cannot be read', async () => {
    const wrong = { messages: [{ role: 'narrator', content: 'once' }] };
    expect(await findingsOf([...plainRows(3), wrong, { other: 1 }, plain(9)])).toEqual({
      unreadable: { grade: 'error', numbers: [4, 5] },
    });
  });

  it('rows without an answer, and turns without one', async () => {
    const silent = { messages: [...plain(1).messages, ...chat('more?', ' ').messages] };
    expect(await findingsOf([plain(2), chat('what?', '  '), silent])).toEqual({
      empty_answer: { grade: 'error', numbers: [2] },
      empty_turn: { grade: 'warning', numbers: [3] },
    });
  });

  it('rows that learn nothing', async () => {
    const [asked, answered] = plain(3).messages;
    const muted = { messages: [asked, { ...answered, weight: 0 }] };
    expect(await findingsOf([plain(1), { messages: [asked] }, muted])).toEqual({
      nothing_learned: { grade: 'error', numbers: [2, 3] },
    });
  });

  it('rows that are cut, left out or refused for their length', async () => {
    const rows = [plain(1), chat('long?', long), chat(long, 'short')];
    expect(await findingsOf(rows)).toEqual({
      skipped: { grade: 'warning', numbers: [3] },
      cut: { grade: 'warning', numbers: [2] },
    });
    expect(await findingsOf(rows, { tooLong: 'skip' })).toEqual({
      skipped: { grade: 'warning', numbers: [2, 3] },
    });
    expect(await findingsOf(rows, { tooLong: 'error' })).toEqual({
      too_long: { grade: 'error', numbers: [2, 3] },
    });
  });

  it('answers without an end', async () => {
    const endless = await makeModelFolder({
      'tokenizer_config.json': {
        chat_template: "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}",
        eos_token: '<|endoftext|>',
      },
    });
    const found = await findingsOf(plainRows(3), { modelFolder: endless } as Changes);
    expect(found).toEqual({ no_end: { grade: 'warning', numbers: [1, 2, 3] } });
    await rm(endless, { recursive: true });
  });

  it('rows that repeat others, and rows on both sides', async () => {
    const rows = [...plainRows(4), plain(1), plain(1)];
    expect(await findingsOf(rows)).toEqual({ duplicate: { grade: 'warning', numbers: [5, 6] } });
    expect(await findingsOf(plainRows(4), { more: [plain(8), plain(2), plain(8)] })).toEqual({
      in_both: { grade: 'warning', numbers: [2] },
      duplicate: { grade: 'warning', numbers: [3] },
    });
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

  it('rows that nearly repeat others, but not those that share an instruction', async () => {
    const story =
      'The baker of the old town opened his shop at dawn, and the smell of bread went down the street to the river.';
    const nearly = [
      chat(story, 'A story about a baker.'),
      chat(story.replace('dawn', 'noon'), 'A story about a baker.'),
    ];
    expect(await findingsOf([...plainRows(30), ...nearly])).toEqual({
      near_duplicate: { grade: 'note', numbers: [32] },
    });
    const instruction =
      'Read the sentence with care and answer with the one word that says what it is about: ';
    const shared = plainRows(40).map(({ messages }) =>
      chat(instruction + messages[0]!.content, messages[1]!.content),
    );
    expect(await findingsOf(shared)).toEqual({});
  });

  it('one question with different answers', async () => {
    expect(await findingsOf([...plainRows(3), chat('why?', 'because'), chat('why?', 'no reason')])).toEqual({
      conflicting: { grade: 'note', numbers: [4, 5] },
    });
  });

  it('no conflict between conversations that share their questions, but not what was answered before', async () => {
    const turns = (...contents: string[]) => ({
      messages: contents.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content })),
    });
    const rows = [
      turns('why?', 'because', 'and then?', 'it rains'),
      turns('why?', 'no reason', 'and then?', 'it snows'),
      turns('how?', 'like this', 'and then?', 'it stops'),
      turns('how?', 'like this', 'and then?'),
    ];
    expect(await findingsOf([...plainRows(3), ...rows])).not.toHaveProperty('conflicting');
    const both = [
      turns('how?', 'so', 'and then?', 'it stops'),
      turns('how?', 'so', 'and then?', 'it goes on'),
    ];
    expect(await findingsOf([...plainRows(3), ...both])).toMatchObject({
      conflicting: { grade: 'note', numbers: [4, 5] },
    });
  });

  it('letters of another script in a word, scripts that few rows use, and broken characters', async () => {
    const rows = [
      ...plainRows(60),
      chat('pаypal?', 'yes'), // The second letter is Cyrillic.
      chat('да?', 'нет'),
      chat('cafÃ©?', 'yes'),
      chat('how \uFFFD?', 'yes'),
      chat('5 μm and kΩ?', 'small'),
    ];
    expect(await findingsOf(rows)).toEqual({
      mixed_letters: { grade: 'warning', numbers: [61] },
      broken_characters: { grade: 'warning', numbers: [63, 64] },
      rare_script: { grade: 'note', numbers: [62] },
    });
  });

  it('very long lines', async () => {
    const line = 'x'.repeat(4001);
    expect(
      await findingsOf([plain(1), chat('a', line), chat('b', `${'y'.repeat(4000)}\n${'z'.repeat(10)}`)]),
    ).toEqual({
      cut: { grade: 'warning', numbers: [2, 3] },
      long_line: { grade: 'note', numbers: [2] },
    });
  });
});

describe('the numbers of a check', () => {
  const rows = [
    ...plainRows(50),
    chat('long?', long),
    chat(long, 'short'),
    { prompt: 'p?', completion: 'c' },
    { instruction: 'say', input: 'it', output: 'it' },
  ];

  it.each([
    ['a small data set', undefined],
    ['rows held out', 0.2],
  ])('are those of the training: %s', async (_, evaluationFraction) => {
    const checked = await check(rows, { evaluationFraction });
    const run = join(folder, 'run');
    await mkdir(run);
    const request: TrainRequest = {
      modelFolder,
      modelName: 'tiny',
      source: { type: 'file', path: join(folder, 'rows.jsonl') },
      evaluationFraction,
      trainOn: 'assistant',
      options: { rank: 2, batchSize: 4, maxLength: 128, threads: 1 },
      folder: run,
      cacheFolder: folder,
    };
    const prepared = await prepareTraining(request);
    const started = (await train(prepared.job).next()).value as { totalSteps: number; trainTokens: number };
    const { report } = checked;
    const { training, evaluation } = report;
    expect(training.learned).toBe(started.trainTokens);
    expect(report.totalSteps).toBe(started.totalSteps);
    expect(training.rows - training.skipped).toBe(prepared.job.examples.length);
    expect((evaluation?.rows ?? 0) - (evaluation?.skipped ?? 0)).toBe(prepared.job.evaluation.length);

    const { examples, evaluation: held } = prepared.job;
    let tokens = 0;
    for (const [set, isTrained] of [
      [examples, true],
      [held, false],
    ] as const) {
      for (let i = 0; i < set.length; i++) {
        const example = set.at(i)!;
        const row = checked.list({ ...ALL, limit: 1, skip: set.rowOf?.(i) ?? i, tokens: 10_000 }).rows[0]!;
        expect(row.isTrained).toBe(isTrained);
        const kept = row.texts[0]!.pieces.filter(({ kind }) => kind !== 'cut');
        expect(kept.flatMap(({ ids }) => ids)).toEqual([...Array.from(example.ids)]);
        const learned = kept.filter(({ kind }) => kind === 'learned').flatMap(({ ids }) => ids);
        expect([row.tokens, row.learned, learned.length]).toEqual([
          example.ids.length,
          countLabels(example),
          countLabels(example),
        ]);
        if (isTrained) tokens += example.ids.length;
      }
    }
    expect(training.tokens).toBe(tokens);
    expect(report.formats).toEqual([
      { name: 'messages', rows: 52 },
      { name: 'prompt and completion', rows: 1 },
      { name: 'Alpaca', rows: 1 },
    ]);
    const { lengths } = report;
    expect(lengths!.bins.reduce((sum, bin) => sum + bin.rows, 0)).toBe(rows.length);
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
  it('shows its tokens with markers, and what is cut off', async () => {
    const checked = await check([chat('long?', long), plain(1)]);
    const [row] = checked.list({ ...ALL, limit: 1, tokens: 10_000 }).rows;
    const text = (kind: string) =>
      row!.texts[0]!.pieces.filter(piece => piece.kind === kind)
        .map(piece => piece.text)
        .join('');
    expect(text('read')).toContain('long?');
    expect(long.startsWith(text('learned'))).toBe(true);
    expect(text('learned') + text('cut')).toContain(long.trim());
    expect(row!.texts[0]!.pieces.filter(({ special }) => special).length).toBeGreaterThan(1);
    expect(
      row!.texts[0]!.pieces.filter(({ special, kind }) => special && kind === 'cut').length,
    ).toBeGreaterThan(0);
    checked.close();
  });

  it('with two answers shows both, and is compared as a whole', async () => {
    const pair = { prompt: 'well?', chosen: 'yes', rejected: 'no' };
    const checked = await check([pair, { ...pair, rejected: long }, pair], { method: 'dpo' });
    expect(checked.report.findings.map(({ name, rows }) => [name, rows])).toEqual([
      ['cut', 1],
      ['duplicate', 1],
    ]);
    const [first, second] = checked.list({ ...ALL, tokens: 10_000 }).rows;
    const learned = (row: typeof first) =>
      row!.texts.map(({ label, pieces }) => [
        label,
        pieces
          .filter(({ kind, special }) => kind === 'learned' && !special)
          .map(({ text }) => text)
          .join(''),
      ]);
    expect(learned(first)).toEqual([
      ['chosen', 'yes'],
      ['rejected', 'no'],
    ]);
    const cut = second!.texts.map(({ pieces }) => pieces.some(({ kind }) => kind === 'cut'));
    expect(cut).toEqual([false, true]);
    checked.close();
  });

  it('is found by its number in the file', async () => {
    const path = join(folder, 'blank.jsonl');
    await writeFile(path, `${JSON.stringify(plain(1))}\n\n\n${JSON.stringify(plain(2))}\n`);
    const checked = await check([], { source: { type: 'file', path } } as Changes);
    const numbers = [1, 2, 4, 5].map(number => checked.list({ ...ALL, number }).rows.map(({ row }) => row));
    expect(numbers).toEqual([[0], [], [1], []]);
    checked.close();
  });

  it('with a character of several tokens is one piece', async () => {
    const checked = await check([chat('ok?', 'a 漢 b')]);
    const { pieces } = checked.list({ ...ALL, tokens: 1000 }).rows[0]!.texts[0]!;
    expect(pieces.map(({ text }) => text).join('')).toContain('a 漢 b');
    expect(pieces.find(({ text }) => text.includes('漢'))!.ids.length).toBeGreaterThan(1);
    checked.close();
  });
});
