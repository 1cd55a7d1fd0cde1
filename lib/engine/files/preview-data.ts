// Checks a data set and lists its rows. The last one that was checked stays open: pages of its rows follow each other.
import { type CheckRequest, type OpenCheck, openCheck } from '../train/check/index.js';
import { excerptOf } from './excerpt.js';
import type { FileWork } from './messages.js';

type PreviewData = FileWork['previewData'];

let opened: { key: string; check: OpenCheck } | null = null;

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

async function open(request: CheckRequest, signal: AbortSignal): Promise<OpenCheck> {
  const key = JSON.stringify(request);
  if (opened?.key === key) return opened.check;
  opened?.check.close();
  opened = null;
  const check = await openCheck(request, signal);
  opened = { key, check };
  return check;
}
