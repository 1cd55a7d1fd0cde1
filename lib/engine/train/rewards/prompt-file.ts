// The rows of a run that learns from rewards, kept where its rewards are computed while it trains elsewhere: the worker knows
// them by their places alone, and its answers as tokens.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { RewardedAnswer, RewardGroup, RewardQuestion } from '../../../contract/index.js';
import { replaceFile } from '../../../system/index.js';
import { readAnswer } from '../../generate/index.js';
import { type ModelText, openText, type Thought } from '../../text/index.js';
import { convertRow } from '../../text/row-formats.js';
import { ANY_COLUMNS, openDataset, type RowTable } from '../data/index.js';
import type { PreparedRows } from '../prepare-rows.js';

const FILE = 'prompts.jsonl';
const ROWS_PER_TURN = 100;

interface PromptLine {
  item: RewardGroup['item'];
  /** What an answer to it may begin with. */
  thought: Thought | undefined;
}

/** What a worker has to know of the answers. */
export interface AnswerFacts {
  /** The tokens that end one. */
  ends: readonly number[];
  /** Whether rows have tools. */
  hasTools: boolean;
}

/** Writes all rows of the data sets by their places. */
export async function writePrompts(
  folder: string,
  { rowAt, idsAt, data, replayed }: Pick<PreparedRows, 'rowAt' | 'idsAt' | 'data' | 'replayed'>,
  text: ModelText,
): Promise<AnswerFacts> {
  const count = [...data, ...replayed].reduce((sum, { rows }) => sum + rows, 0);
  let hasTools = false;
  async function* lines() {
    for (let row = 0; row < count; row++) {
      const item = rowAt(row);
      hasTools ||= Array.isArray(item.tools) && item.tools.length > 0;
      const thought = text.thoughtAfter(Array.from(idsAt(row)));
      yield Buffer.from(`${JSON.stringify({ item, thought } satisfies PromptLine)}\n`);
      if (row % ROWS_PER_TURN === 0) await setImmediate();
    }
  }
  await replaceFile(join(folder, FILE), lines());
  return { ends: text.endIds, hasTools };
}

export interface OpenPrompts {
  /** The answers as text, with their rows. */
  read(groups: RewardQuestion['groups']): RewardGroup[];
  close(): void;
}

export async function openPrompts(folder: string, modelFolder: string): Promise<OpenPrompts> {
  const text = await openText(modelFolder);
  const source = { type: 'file', path: join(folder, FILE), columns: ANY_COLUMNS } as const;
  const table: RowTable = await (await openDataset(source, { cacheFolder: folder })).index({
    scratchFolder: folder,
  });
  return {
    read: groups =>
      groups.map(({ row, answers }) => {
        if (row >= table.length) throw new Error(`The run has no row ${row}.`);
        const { item, thought } = table.read(row).row as unknown as PromptLine;
        const toAnswer = (answer: (typeof answers)[number]): RewardedAnswer =>
          'ids' in answer ? { text: readAnswer(text, answer.ids, thought) } : answer;
        return {
          row,
          item,
          messages: convertRow(item, 'grpo')!.messages as RewardGroup['messages'],
          answers: answers.map(toAnswer),
        };
      }),
    close: table.close,
  };
}
