// The endpoints as a table in a terminal: one row or more each, depending on the width.
import type { Deployment } from '../contract/index.js';
import { breakToWidth, displayWidth } from './display-width.js';
import type { Glyphs } from './glyphs.js';
import { deploymentHost, enabledLabel, targetLabel, troubleLabel } from './labels.js';
import { fitText, type Span } from './spans.js';

interface DeploymentTable {
  readonly titles: string;
  readonly rowsEach: number;
  rows(deployment: Deployment): Span[][];
}

const WIDE = 120;
const USUAL = 80;
const BADGE = 13;
const STATE = 27;
const TARGET = 36;
const AUTH = 15;
const TROUBLE = 16;

/** An endpoint takes more rows where a host would not fit. */
export function deploymentTable(
  deployments: readonly Deployment[],
  width: number,
  glyphs: Pick<Glyphs, 'on' | 'off' | 'status'>,
): DeploymentTable {
  const host = width - STATE - TARGET - AUTH;
  const longest = Math.max(0, ...deployments.map(each => displayWidth(deploymentHost(each))));
  const isNarrow = width < USUAL || longest > width - BADGE;
  const hostRows = Math.max(1, Math.ceil(longest / (width - 1)));
  const rowsEach = isNarrow ? hostRows + 2 : width >= WIDE && longest <= host - 3 ? 1 : 2;
  const titles = `${'Endpoint'.padEnd(host - 1)}${'Target'.padEnd(TARGET)}${'Auth mode'.padEnd(AUTH)}State`;
  return {
    rowsEach,
    titles: rowsEach === 1 ? ` ${titles}` : ' Endpoint, target and auth mode',
    rows(deployment) {
      const { name, target, auth, state, trouble } = partsOf(deployment, glyphs);
      if (rowsEach === 1) {
        const fitted = { ...name, text: ` ${fitText(name.text, host - 3)}  ` };
        return [[fitted, { text: fitText(target, TARGET) }, auth, state, trouble]];
      }
      if (isNarrow) {
        const badge = { ...state, text: `${state.text}  ` };
        const [first, last] = longest <= width - BADGE ? [[badge], []] : [[], [badge]];
        const named = breakToWidth(name.text, width - 1).map(text => [
          { text: ' ' },
          ...first,
          { ...name, text },
        ]);
        const rest = [[{ text: `   ${target}` }], [{ text: '   ' }, ...last, auth, trouble]];
        const blank = Array.from({ length: hostRows - named.length }, () => [{ text: ' ' }]);
        return [...named, ...rest, ...blank];
      }
      const room = width - BADGE - AUTH - TROUBLE;
      return [
        [{ text: ' ' }, { ...state, text: fitText(state.text, BADGE - 1) }, name],
        [{ text: ' '.repeat(BADGE) + fitText(target, room) }, auth, trouble],
      ];
    },
  };
}

function partsOf(deployment: Deployment, { on, off, status }: Pick<Glyphs, 'on' | 'off' | 'status'>) {
  const { enabled, authMode } = deployment;
  const trouble = troubleLabel(deployment);
  const isOn = { tone: 'completed' } as const;
  return {
    name: { text: deploymentHost(deployment), style: { bold: true } },
    target: targetLabel(deployment.target),
    auth: { text: fitText(authMode, AUTH), style: { dim: true } },
    state: {
      text: `${enabled ? on : off} ${enabledLabel(deployment)}`,
      style: enabled ? isOn : { dim: true },
    },
    trouble: { text: trouble ? `  ${status.failed} ${trouble}` : '', style: { tone: 'failed' } as const },
  };
}
