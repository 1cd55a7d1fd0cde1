// Tokens wrapped into lines: what is learned is inverse, what is read is dim, what is cut off is struck, and the model's
// markers are bold.
import { tokenRuns } from '../../../../lib/console/index.js';
import type { PreviewToken } from '../../../../lib/contract/index.js';
import type { Line, Style } from '../../drawing/line.js';
import { wrapSpans } from '../../drawing/wrap-spans.js';

const STYLES = {
  learned: { inverse: true },
  read: { dim: true },
  cut: { dim: true, strike: true },
} as const satisfies Record<PreviewToken['kind'], Style>;

export function tokenLines(tokens: readonly PreviewToken[], width: number): Line[] {
  const parts = tokenRuns(tokens).map(({ text, kind, special }) => ({
    text,
    style: { ...STYLES[kind], ...(special && { bold: true, dim: false }) },
  }));
  return wrapSpans(parts, width);
}
