import { describe, expect, it } from 'vitest';
import { hashRows, openDataset, splitByContent } from '../../../../lib/engine/train/data/index.js';
import { temporaryFolder, write } from './dataset-files.js';

const row = (i: number) => ({ prompt: `question ${i}`, completion: `answer ${i}` });
const rows = (count: number) => Array.from({ length: count }, (_, i) => row(i));
const toLines = (all: readonly object[]) => all.map(one => `${JSON.stringify(one)}\n`).join('');

/** What the held-out rows say. */
async function heldOut(content: string, fraction = 0.2, fileName = 'rows.jsonl'): Promise<string[]> {
  const dataset = await openDataset(write(fileName, content), { cacheFolder: 'unused' });
  const table = await dataset.index({ scratchFolder: temporaryFolder() });
  const held = splitByContent(await hashRows(table), fraction);
  const said = Array.from(held, index => String(table.read(index).row.prompt));
  table.close();
  return said;
}

describe('the rows held out for evaluation', () => {
  it('are about the fraction', async () => {
    for (const fraction of [0.05, 0.2, 0.5, 0.9]) {
      const held = await heldOut(toLines(rows(4000)), fraction);
      expect(Math.abs(held.length - 4000 * fraction)).toBeLessThan(120);
    }
  });

  it('stay when rows are added, removed or shuffled, and when the fraction grows', async () => {
    const before = await heldOut(toLines(rows(400)));
    const after = await heldOut(toLines(rows(900).reverse().slice(100)));
    expect(before.length).toBeGreaterThan(40);
    const isOld = (said: string) => Number(said.split(' ')[1]) < 400;
    expect(after.filter(isOld).sort()).toEqual(before.toSorted());
    expect(await heldOut(toLines(rows(400)), 0.4)).toEqual(expect.arrayContaining(before));
  });

  it('are the same whatever is learned of them', async () => {
    const chat = (weight: object) => (_: unknown, i: number) => ({
      prompt: [
        { role: 'user', content: `question ${i}` },
        { role: 'assistant', content: 'Sure.', ...weight },
      ],
      completion: [{ role: 'assistant', content: `answer ${i}` }],
    });
    const [plain, weighted] = [{}, { weight: 0 }].map(weight => toLines(rows(100).map(chat(weight))));
    const indices = async (text: string) => {
      const dataset = await openDataset(write('rows.jsonl', text), { cacheFolder: 'unused' });
      const table = await dataset.index({ scratchFolder: temporaryFolder() });
      const held = [...splitByContent(await hashRows(table), 0.2)];
      table.close();
      return held;
    };
    expect((await indices(plain!)).length).toBeGreaterThan(5);
    expect(await indices(weighted!)).toEqual(await indices(plain!));
  });

  it('are the same in another format, with other columns beside them and in another order of columns', async () => {
    const lines = await heldOut(toLines(rows(200)));
    expect(await heldOut(JSON.stringify(rows(200), null, 2), 0.2, 'rows.json')).toEqual(lines);
    const table = rows(200).map(({ prompt, completion }, i) => `${i},${completion},${prompt}`);
    expect(await heldOut(['id,completion,prompt', ...table].join('\n'), 0.2, 'rows.csv')).toEqual(lines);
  });

  it('are the same with columns that change nothing of what is learned, and others with those that do', async () => {
    const answers = (i: number) => ({
      ...row(i),
      chosen: `answer ${i}`,
      rejected: 'no',
      completion: undefined,
    });
    const pairs = rows(200).map((_, i) => JSON.parse(JSON.stringify(answers(i))) as object);
    const messages = (i: number) => [
      { role: 'system', content: 'a' },
      { role: 'user', content: `${i}` },
    ];
    const chats = rows(200).map((one, i) => ({ prompt: messages(i), completion: one.completion }));
    const heldWith = (all: readonly object[], more: object) =>
      heldOut(toLines(all.map(one => ({ ...one, ...more }))));
    for (const [all, idle, telling] of [
      [rows(200), { system: '', instruction: 'a' }, { system: 'a' }],
      [chats, { system: 'a' }, { system: 'b' }],
      [pairs, { system: ' ', instruction: 'a', question: 'b', history: [['c', 'd']] }, { system: 'a' }],
    ] as const) {
      const held = await heldWith(all, {});
      expect(await heldWith(all, idle)).toEqual(held);
      expect(await heldWith(all, telling)).not.toEqual(held);
    }
  });

  it('are told apart by a question that is in two columns', async () => {
    const text = (i: number) => `Is ${i} even?`;
    const pairs = rows(200).map((_, i) => ({ question: text(i), chosen: 'yes', rejected: 'no' }));
    const twice = pairs.map(pair => ({ ...pair, instruction: pair.question }));
    const held = await heldOut(toLines(twice));
    expect(held.length).toBeGreaterThan(20);
    expect(held).toHaveLength((await heldOut(toLines(pairs))).length);
  });

  it('include all copies of a row or none', async () => {
    const copies = [...rows(300), ...rows(300).reverse(), ...rows(100)];
    const held = await heldOut(toLines(copies.map((one, id) => ({ id, ...one }))));
    for (const said of new Set(held)) {
      const number = Number(said.split(' ')[1]);
      expect(held.filter(other => other === said)).toHaveLength(number < 100 ? 3 : 2);
    }
  });

  it('are at least one and never all, unless all rows are equal', async () => {
    for (const fraction of [0.001, 0.999])
      for (let count = 2; count < 12; count++) {
        const held = await heldOut(toLines(rows(count)), fraction);
        expect([held.length > 0, held.length < count]).toEqual([true, true]);
      }
    expect(await heldOut(toLines([row(1), row(1), row(1)]), 0.5)).toEqual([]);
    expect(await heldOut(toLines([row(1), row(2), row(1)]), 0.001)).not.toHaveLength(0);
  });

  it('are none if none are wanted', async () => {
    expect(await heldOut(toLines(rows(50)), 0)).toEqual([]);
    expect(splitByContent(new Uint32Array(), 0.5)).toHaveLength(0);
  });

  it('fail for an invalid fraction', () => {
    for (const fraction of [-0.1, 1, Number.NaN]) {
      expect(() => splitByContent(Uint32Array.of(1, 2), fraction)).toThrow(RangeError);
    }
  });
});
