// Checks a data set and lists its rows. The last one that was checked stays open: pages of its rows follow each other.
import { type CheckRequest, type OpenCheck, openCheck } from '../train/check/index.js';
import { excerptOf } from './excerpt.js';
import type { FileWork } from './messages.js';

type PreviewData = FileWork['previewData'];

let opened: { key: string; check: Promise<OpenCheck> } | null = null;

export async function previewData(
  { request, query }: PreviewData['input'],
  signal: AbortSignal,
): Promise<PreviewData['result']> {
  const check = await open(request, signal);
  const { rows, total } = check.list(query);
  return {
    report: check.report,
    rows: rows.map(({ content, ...row }) => ({
      ...row,
      ...(content ? excerptOf(content) : { prompt: '', answer: '' }),
    })),
    total,
  };
}

/** A check that another caller began and then gave up is begun again. */
async function open(request: CheckRequest, signal: AbortSignal): Promise<OpenCheck> {
  for (;;) {
    const check = share(request, signal);
    try {
      return await check;
    } catch (error) {
      if (signal.aborted || (error as Error).name !== 'AbortError') throw error;
    }
  }
}

async function share(request: CheckRequest, signal: AbortSignal): Promise<OpenCheck> {
  const key = JSON.stringify(request);
  if (opened?.key === key) return opened.check;
  const last = opened;
  const check = openCheck(request, signal);
  opened = { key, check };
  check.catch(() => {
    if (opened?.check === check) opened = null;
  });
  last?.check.then(
    ({ close }) => close(),
    () => {},
  );
  return check;
}
