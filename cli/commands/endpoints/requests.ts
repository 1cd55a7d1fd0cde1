// svc endpoints requests SLUG [ID]: lists an endpoint's kept requests, and marks or corrects their answers. svc data from-requests
// SLUG exports them as training rows.
import { text as readAll } from 'node:stream/consumers';
import type { CloudClient } from '../../../lib/client/index.js';
import {
  deleteKeptQuestion,
  discardQuestion,
  isChosen,
  type KeptFilter,
  keepingText,
  keptFigures,
  keptTurns,
  noKeptText,
  plural,
  questionText,
  type RowChoice,
  shortId,
  skippedText,
  toCorrection,
  toKeptRow,
} from '../../../lib/console/index.js';
import type {
  Deployment,
  KeptRequest,
  KeptRequestChange,
  KeptRequestFilter,
  KeptRequests,
} from '../../../lib/contract/index.js';
import { CommandError, UsageError } from '../../command.js';
import type { Screen } from '../../screen.js';
import { toSafeLine, toSafeText } from '../../style.js';
import { writeNewRows } from '../files/row-files.js';
import { findDeployment, pickById } from '../project/find.js';
import { countOption, textOption } from '../project/option-values.js';
import { type SessionContext, sessionCommand } from '../project/session-command.js';
import { agree } from '../terminal/ask.js';
import { type Column, type Fact, renderFacts, renderTable, timeText } from '../terminal/table.js';

const USUAL = 20;

export const run = sessionCommand(async input => {
  const { positionals, session, screen, answer } = input;
  const [slug = '', typed] = positionals;
  const change = await readChange(input, typed);
  if (typed !== undefined) assertNoFilter(input);
  const limit = countOption(input, 'last') ?? USUAL;
  const { cloud, deployment } = await findDeployment(session, slug);
  if (typed === undefined) {
    const mark = textOption(input, 'mark') as KeptFilter;
    const found = await readKept(cloud, deployment, { mark, limit });
    answer(found, () => renderList(found, mark, deployment, input));
    return;
  }
  const id = await findId(typed, toSafeLine(slug), () => readKept(cloud, deployment, {}));
  if (change === 'delete') {
    await agree(questionText(deleteKeptQuestion()), input, input.io);
    const deleted = await cloud.deleteKeptRequest(deployment.id, id);
    answer(deleted, () => `Deleted request ${shortId(id)}.\n`);
    return;
  }
  if (change?.mark && (await cloud.getKeptRequest(deployment.id, id)).request.correction)
    await agree(questionText(discardQuestion()), input, input.io);
  const { request } = change
    ? await cloud.updateKeptRequest(deployment.id, id, change)
    : await cloud.getKeptRequest(deployment.id, id);
  answer({ request }, () => renderRequest(request, screen));
});

/** `--mark good` beside an ID would look as if it marked the request. */
function assertNoFilter({ values }: Pick<SessionContext, 'values'>): void {
  for (const name of ['mark', 'last'])
    if (values[name] !== undefined)
      throw new UsageError(
        `"--${name}" is for the list. To mark a request, use "--good", "--bad" or "--unmark".`,
      );
}

async function readChange(
  { values, io }: Pick<SessionContext, 'values' | 'io'>,
  id: string | undefined,
): Promise<KeptRequestChange | 'delete' | null> {
  const correct = textOption({ values }, 'correct');
  const marks = (['good', 'bad', 'unmark', 'delete'] as const).filter(name => values[name]);
  const changeCount = marks.length + (correct === undefined ? 0 : 1);
  if (changeCount === 0) return null;
  if (id === undefined) throw new UsageError('specify the ID of the request.');
  if (changeCount > 1)
    throw new UsageError('use one of "--good", "--bad", "--unmark", "--correct" and "--delete".');
  const [mark] = marks;
  if (mark) return mark === 'delete' ? mark : { mark: mark === 'unmark' ? 'none' : mark };
  if (correct === '-' && !io.stdin) throw new CommandError('Nothing was piped in.');
  const text = correct === '-' ? (await readAll(io.stdin!)).replace(/\r?\n$/, '') : correct!;
  const correction = toCorrection(text);
  if (!correction) throw new UsageError('the corrected answer must not be empty.');
  return { correction };
}

/** A full ID needs no list. */
async function findId(typed: string, slug: string, list: () => Promise<KeptRequests>): Promise<string> {
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(typed)) return typed.toLowerCase();
  const wording = {
    noun: 'request',
    list: `svc endpoints requests ${slug}`,
    describe: (request: KeptRequest) => keptFigures(request).question,
  };
  return pickById(typed, (await list()).requests, wording).id;
}

function renderList(
  { requests, counts, skipped }: KeptRequests,
  mark: KeptFilter,
  deployment: Deployment,
  { screen, svc }: SessionContext,
): string {
  const { style } = screen;
  const keeping = keepingText(deployment);
  if (!keeping)
    return `${toSafeLine(deployment.slug)} keeps no requests. To keep them, run "${svc} endpoints update ${toSafeLine(deployment.slug)} --keep-requests".\n`;
  const notes = [`${requests.length} of ${plural(counts.all, 'request')}`, skippedText(skipped), keeping];
  const note = style.dim(notes.filter(text => text !== null).join(' · '));
  if (requests.length === 0) return `${noKeptText(mark)}.\n${note}\n`;
  return `${renderTable(columnsFor(screen), requests, screen)}${note}\n`;
}

function columnsFor(screen: Screen): Column<KeptRequest>[] {
  const { style } = screen;
  const paint = { good: style.green, bad: style.red, corrected: style.yellow };
  return [
    { title: 'ID', text: ({ id }) => shortId(id) },
    { title: 'Time', text: ({ createdAt }) => timeText(createdAt, screen), paint: style.dim, spare: true },
    {
      title: 'Mark',
      text: request => keptFigures(request).mark,
      paint: (text, { mark }) => (mark ? paint[mark](text) : text),
    },
    { title: 'Asked', text: request => keptFigures(request).question, least: 12 },
    {
      title: 'Answer',
      text: request => {
        const { correction, answer, outcome } = keptFigures(request);
        return outcome && !correction ? `${answer} [${outcome}]` : (correction ?? answer);
      },
      least: 12,
    },
  ];
}

function renderRequest(request: KeptRequest, screen: Screen): string {
  const { style } = screen;
  const { mark, answer, correction, outcome, details } = keptFigures(request);
  const facts: Fact[] = [
    ['ID', request.id],
    ['Time', timeText(request.createdAt, screen)],
    ['Call', details],
    ['Tools', request.tools?.map(tool => tool.function.name).join(', ') ?? null],
    ['Mark', mark || null],
    ['Outcome', outcome],
  ];
  const turns = [
    ...keptTurns(request).map(({ role, text }) => [role, text] as const),
    ['answer', answer] as const,
    ...(correction === null ? [] : [['corrected', correction] as const]),
  ];
  const conversation = turns.map(([role, text]) => `\n${style.bold(role)}\n${toSafeText(text)}\n`).join('');
  return `${renderFacts(facts, style)}${conversation}`;
}

const MOST_PER_PAGE = 100;

/** Reads kept requests page by page, newest first. Without a limit, reads all of them. */
export async function readKept(
  cloud: CloudClient,
  deployment: Deployment,
  { mark, limit = Number.POSITIVE_INFINITY }: Pick<KeptRequestFilter, 'mark' | 'limit'>,
): Promise<KeptRequests> {
  const requests: KeptRequest[] = [];
  for (let cursor: string | undefined; ; ) {
    const ask = Math.max(1, Math.min(MOST_PER_PAGE, limit - requests.length));
    const page = await cloud.listKeptRequests(deployment.id, { mark, limit: ask, cursor });
    requests.push(...page.requests.slice(0, Math.max(0, limit - requests.length)));
    if (page.nextCursor === null || requests.length >= limit) return { ...page, requests };
    cursor = page.nextCursor;
  }
}

export const exportRows = sessionCommand(async input => {
  const { positionals, session, io, svc, answer } = input;
  const choice = readChoice(input);
  const { cloud, deployment } = await findDeployment(session, positionals[0]!);
  const out = textOption(input, 'out') ?? `${deployment.slug}.jsonl`;
  const { requests } = await readKept(cloud, deployment, {});
  const chosen = requests.filter(request => isChosen(request, choice)).toReversed();
  const rows = chosen.map(toKeptRow).filter(row => row !== null);
  if (rows.length === 0)
    throw new CommandError(
      `${toSafeLine(deployment.slug)} has no such answers (${plural(requests.length, 'kept request')}). To mark them, run "${svc} endpoints requests ${toSafeLine(deployment.slug)} ID --good".`,
    );
  await writeNewRows(io.cwd, out, new Blob(rows.map(row => `${JSON.stringify(row)}\n`)));
  const skipped = chosen.length - rows.length;
  answer({ file: out, rows: rows.length, skipped }, () => {
    const unfinished = `${plural(skipped, 'answer')} left out, because ${skipped === 1 ? 'it is' : 'they are'} not whole. Correct ${skipped === 1 ? 'it to use it' : 'them to use them'}.\n`;
    return `Wrote ${plural(rows.length, 'row')} to ${toSafeLine(out)}.\n${skipped > 0 ? unfinished : ''}`;
  });
});

function readChoice({ values }: Pick<SessionContext, 'values'>): RowChoice {
  const choices = (['good', 'corrected', 'all'] as const).filter(name => values[name]);
  if (choices.length > 1) throw new UsageError('use one of "--good", "--corrected" and "--all".');
  return choices[0] ?? 'usual';
}
