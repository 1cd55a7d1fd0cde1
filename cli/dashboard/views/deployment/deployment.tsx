// An endpoint's page: its settings, its keys and a code sample, which moves to a page of its own if both do
// not fit.
import { Box } from 'ink';
import { useState } from 'react';
import {
  canaryView,
  deploymentHost,
  deploymentPages,
  deploymentSettings,
  issuedKeyRows,
  keySpans,
  LANGUAGES,
  type Language,
  languageTabs,
  quickStart,
  sampleRows,
  spansWidth,
} from '../../../../lib/console/index.js';
import type { Deployment, Key } from '../../../../lib/contract/index.js';
import { List } from '../../components/list.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { Line, SpanRows, Spans } from '../../components/text.js';
import { Problem, problemHeight } from '../../components/words.js';
import { useDashboard, useKept, useShell } from '../../dashboard-context.js';
import { neighborOf, useList } from '../../hooks/use-list.js';
import { AT_START, rowsSource, useScroller } from '../../hooks/use-scroller.js';
import { useCommands } from '../../keys/commands.js';
import { NoRows, View } from '../../screen/view.js';
import { replaced } from '../../state/store.js';
import { type Size, useGlyphs, useRoom } from '../../terminal/look.js';
import { type Endpoint, useEndpoint } from './use-endpoint.js';

const LANGUAGE_NAMES = LANGUAGES.map(({ value }) => value);

export function DeploymentPage({ id }: { id: string }) {
  const { prompt, linkProblem } = useShell();
  const { width, height } = useRoom();
  const endpoint = useEndpoint(id);
  const [page, setPage] = useState(0);
  const { issued, deployment, keys, isBusy } = endpoint;
  const { value } = deployment;
  const problems = [
    endpoint.problem,
    deployment.problem,
    keys.problem,
    value?.problem,
    value && canaryView(value)?.problem,
  ];
  const problem = problems.find(text => text && text !== linkProblem) ?? null;

  const issuedRows = issued ? issuedKeyRows(issued, width - 4) : [];
  const callout = issued ? issuedRows.length + 2 : 0;
  const room = Math.max(0, height - 1 - problemHeight(problem, width) - callout);
  const settings = value ? deploymentSettings(value, width) : [];
  const below = room - settings.length - 1;
  const pages = deploymentPages(width, below);
  const shown = pages[page % pages.length]!;
  const isBeside = pages.length === 1;
  const left = isBeside ? Math.floor((width * 2) / 5) : width;
  const lower = { width: left, height: shown.includes('settings') ? below : room };
  useCommands(['deployment', 'anywhere'], {
    ...endpoint.commands,
    ...(value && !isBeside && { nextPage: () => setPage(page + 1) }),
  });
  const status = isBusy ? 'Waiting for the cloud…' : value && !prompt && deploymentHost(value);
  return (
    <View status={<Line dim>{status}</Line>}>
      <Problem text={problem} />
      {issued && (
        <Panel title={`Key ${issued.label}`} width={width} height={callout} tone="warning">
          <SpanRows rows={issuedRows} />
        </Panel>
      )}
      {shown.includes('settings') && <SpanRows rows={[...settings, []]} />}
      {value ? (
        <Box>
          {shown.includes('keys') && <KeysPanel {...lower} endpoint={endpoint} />}
          {shown.includes('sample') && (
            <SamplePanel
              {...lower}
              width={isBeside ? width - left : width}
              deployment={value}
              isAlone={!isBeside}
            />
          )}
        </Box>
      ) : (
        <NoRows text={null} isSlow={deployment.isSlow} />
      )}
    </View>
  );
}

function KeysPanel({ endpoint, ...size }: Size & { endpoint: Endpoint }) {
  const { keys, keyList, keyCommands } = endpoint;
  const idOf = ({ id }: Key) => id;
  const inside = insidePanel(size);
  const glyphs = useGlyphs();
  const list = useList(keys.value ?? [], { name: keyList, height: Math.max(1, inside.height), idOf });
  useCommands([], { ...list.commands, ...keyCommands(list.item) });
  return (
    <Panel title="API keys" {...size}>
      {list.item ? (
        <List list={list} idOf={idOf} row={key => <Spans spans={keySpans(key, inside.width, glyphs)} />} />
      ) : (
        <NoRows
          text={keys.value && 'No keys yet'}
          hint="Press i to issue one. It is shown only once."
          isSlow={keys.isSlow}
        />
      )}
    </Panel>
  );
}

interface SamplePanelProps extends Size {
  readonly deployment: Deployment;
  /** The sample is alone on the page, so the scroll keys apply to it. */
  readonly isAlone: boolean;
}

function SamplePanel({ deployment, isAlone, width, height }: SamplePanelProps) {
  const { copy } = useDashboard();
  const { arrows } = useGlyphs();
  const [language, languages] = useKept('language of samples', replaced<Language>, 'curl');
  const inside = insidePanel({ width, height });
  const rows = sampleRows(deployment, language, inside.width);
  const scroller = useScroller(rowsSource(rows.length), inside.height, AT_START);
  const turn = (distance: number) => () => {
    languages.dispatch(neighborOf(LANGUAGE_NAMES, language, distance));
    scroller.reset();
  };
  const { scrollUp, scrollDown } = scroller.commands;
  useCommands([], {
    copySample: () => copy(quickStart(language, deployment), 'the sample'),
    previousLanguage: turn(-1),
    nextLanguage: turn(1),
    ...(isAlone && { previous: scrollUp, next: scrollDown }),
  });
  const last = scroller.rows.at(-1)?.item ?? 0;
  const rest = `… press ${isAlone ? `${arrows.down} for more, s` : 's'} to copy all of it`;
  const tabs = languageTabs(language, width);
  return (
    <Box>
      <Panel title="Quick start" width={width} height={height}>
        {scroller.rows.map(({ item }) => {
          const isCut = item === last && last < rows.length - 1;
          return (
            <Line key={item} dim={isCut || item === 0}>
              {isCut ? rest : rows[item] || ' '}
            </Line>
          );
        })}
      </Panel>
      <Box position="absolute" marginLeft={width - spansWidth(tabs) - 4}>
        <Line>
          <Spans spans={tabs} />
        </Line>
      </Box>
    </Box>
  );
}
