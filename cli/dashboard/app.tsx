// The dashboard as a React component: the frame, the current view, and the global keys.
import { Box, useInput } from 'ink';
import { useContext, useState } from 'react';
import {
  awayNotice,
  commandProblem,
  isReady,
  type Location,
  splitCommandLine,
  TABS,
  toHash,
  viewHash,
} from '../../lib/console/index.js';
import { ClickContext, type ClickTargets, createClickTargets } from './components/clickable.js';
import { Line } from './components/text.js';
import { Paragraph, problemHeight } from './components/words.js';
import type { Dashboard } from './create-dashboard.js';
import { DashboardContext, useShell } from './dashboard-context.js';
import type { Commands } from './keys/bindings.js';
import { createKeymap, type Keymap, KeymapContext, useCommands, useKeymap } from './keys/commands.js';
import { keyName } from './keys/key-names.js';
import { QuestionFoot } from './screen/foot.js';
import { AwayNotice, TabBar, TitleBar } from './screen/head.js';
import { Hints } from './screen/hints.js';
import { createQuit } from './screen/quit.js';
import { holdsSelection } from './state/shell-state.js';
import { useStore } from './state/store.js';
import { CoveredContext, type Look, LookContext, RoomContext, type Size, useRoom } from './terminal/look.js';
import type { Pointed } from './terminal/read-input.js';
import { OrderlyInput } from './terminal/use-orderly-input.js';
import { useTerminal } from './terminal/use-terminal.js';
import { Cluster } from './views/cluster/cluster.js';
import { Compare } from './views/compare/compare.js';
import { Data } from './views/data/data.js';
import { DeploymentPage } from './views/deployment/deployment.js';
import { Deployments } from './views/deployments/deployments.js';
import { EvaluationView } from './views/evaluation/evaluation.js';
import { Evaluations } from './views/evaluation/evaluations.js';
import { JobPage } from './views/job/job.js';
import { Jobs } from './views/jobs/jobs.js';
import { Kept } from './views/kept/kept.js';
import { Overview } from './views/overview/overview.js';
import { Playground } from './views/playground/playground.js';
import { useChosenJob } from './views/playground/use-conversations.js';
import { CommandReader, Help } from './views/readers/reader.js';
import { Rows } from './views/rows/rows.js';

const LEAST: Size = { width: 40, height: 15 };
/** The rows for the title, the tabs and the hints. */
const AROUND = 3;
const USUAL_HEIGHT = 24;
/** The rows for what is wrong with the cloud: in a small terminal, and as a share of a larger one. */
const LEAST_TOLD = 2;
const MOST_TOLD = 1 / 8;
const WHEEL_ROWS = 3;

interface AppProps {
  readonly dashboard: Dashboard;
  readonly look: Look;
  readonly hasMouse: boolean;
  /** Receives a function that writes to the terminal between two frames. */
  readonly onWriter?: (write: (text: string) => void) => void;
}

export function App(props: AppProps) {
  const { dashboard, look } = props;
  const [keymap] = useState(() => createKeymap({ refresh: () => void dashboard.checkIdentity() }));
  const [targets] = useState(createClickTargets);
  return (
    <LookContext.Provider value={look}>
      <DashboardContext.Provider value={dashboard}>
        <KeymapContext.Provider value={keymap}>
          <ClickContext.Provider value={targets}>
            <Screen {...props} keymap={keymap} targets={targets} />
          </ClickContext.Provider>
        </KeymapContext.Provider>
      </DashboardContext.Provider>
    </LookContext.Provider>
  );
}

interface ScreenProps extends AppProps {
  readonly keymap: Keymap;
  readonly targets: ClickTargets;
}

function Screen({ dashboard, keymap, targets, hasMouse, onWriter }: ScreenProps) {
  const { shell } = dashboard;
  const { question } = useShell();
  const { redraw, ...size } = useTerminal(onWriter);
  useInput((input, key) => {
    const name = keyName(input, key);
    if (keymap.isTyping && name === input) return;
    shell.dispatch({ notice: null });
    keymap.press(name);
  });
  const isTooSmall = size.width < LEAST.width || size.height < LEAST.height;
  const room = { width: Math.max(size.width, LEAST.width), height: Math.max(size.height, LEAST.height) };
  const onPoint = ({ action, row, column }: Pointed) => {
    if (isTooSmall) return;
    if (action === 'click') {
      shell.dispatch({ notice: null });
      targets.click(row, column, question !== null);
    } else if (!question)
      turnWheel(keymap, action === 'wheelUp' ? 'Up' : 'Down', holdsSelection(shell.state));
  };
  return (
    <>
      <ShellCommands dashboard={dashboard} redraw={redraw} />
      <RoomContext.Provider value={size}>
        <Box width={size.width} height={size.height}>
          {/* Ink takes an empty last row for the end of a picture that is less high; a styled blank is not empty. */}
          <Box position="absolute" marginTop={size.height - 1}>
            <Line dim> </Line>
          </Box>
          {isTooSmall && <TooSmall />}
          {/* Goes on behind it: a command that runs, a key that is shown once, and what was typed. */}
          <RoomContext.Provider value={room}>
            <CoveredContext.Provider value={isTooSmall}>
              <Box display={isTooSmall ? 'none' : 'flex'}>
                <Frame dashboard={dashboard} hasMouse={hasMouse} />
              </Box>
            </CoveredContext.Provider>
          </RoomContext.Provider>
        </Box>
      </RoomContext.Provider>
      <OrderlyInput clock={dashboard.clock} isTyping={() => keymap.isTyping} onPoint={onPoint} />
    </>
  );
}

/** Moves through the list unless `isHeld`, or else scrolls the text here. */
function turnWheel(keymap: Keymap, direction: 'Up' | 'Down', isHeld: boolean): void {
  const move = direction === 'Up' ? 'previous' : 'next';
  if (isHeld && keymap.offers(move)) return;
  for (let row = 0; row < WHEEL_ROWS; row++) keymap.run(move) || keymap.run(`scroll${direction}`);
}

function Frame({ dashboard, hasMouse }: { dashboard: Dashboard; hasMouse: boolean }) {
  const { training, options } = dashboard;
  const { width, height } = useRoom();
  const { location, reader, link, linkProblem } = useShell();
  const isCovered = useContext(CoveredContext);
  const canRun = isReady(useStore(training.store));
  const limit = height < USUAL_HEIGHT ? LEAST_TOLD : Math.floor(height * MOST_TOLD);
  const away = problemHeight(awayNotice(link, linkProblem), width, limit);
  const room = { width, height: height - AROUND - away };
  return (
    <Box flexDirection="column" width={width} height={height}>
      <TitleBar />
      <TabBar studioUrl={options.studioUrl} />
      <AwayNotice limit={limit} />
      <RoomContext.Provider value={room}>
        {reader?.kind === 'help' && (
          <Help here={reader.here} hasMouse={hasMouse} hasShell={options.runCommand !== undefined} />
        )}
        {reader?.kind === 'command' && <CommandReader args={reader.args} runCommand={options.runCommand!} />}
        {/* What is read covers the view, which goes on behind it. */}
        <CoveredContext.Provider value={isCovered || reader !== null}>
          <Box display={reader ? 'none' : 'flex'}>
            <ViewAt key={viewHash(location)} location={location} />
          </Box>
        </CoveredContext.Provider>
      </RoomContext.Provider>
      {/* A run that cannot start is not offered; pressing its key explains why. */}
      <Hints isHidden={command => command === 'run' && !canRun} />
    </Box>
  );
}

function TooSmall() {
  const { width, height } = useRoom();
  const { question } = useShell();
  useCommands(['tooSmall'], {}, { layer: 'tooSmall' });
  const words = `The terminal is too small: ${width}x${height}.\nThe dashboard needs ${LEAST.width}x${LEAST.height}.\nPress q to quit.`;
  return (
    <Box flexDirection="column" width={width} height={height} overflowY="hidden">
      <Paragraph limit={height}>{words}</Paragraph>
      {question && <QuestionFoot question={question} />}
    </Box>
  );
}

/** Global key commands. */
function ShellCommands({ dashboard, redraw }: { dashboard: Dashboard; redraw: () => void }) {
  const { shell, options, training, go } = dashboard;
  const { location, trail } = useShell();
  const job = useChosenJob();
  const shownAt = location.tab === 'playground' && job !== null ? { ...location, job } : location;
  const keymap = useKeymap();
  const [quit] = useState(() => createQuit(dashboard));
  const tabs = Object.fromEntries(
    TABS.map(({ tab, label }) => [`show${label}`, () => go({ tab, id: null })]),
  ) as Commands;
  useCommands(
    ['anywhere'],
    {
      ...tabs,
      run() {
        if (location.tab !== 'overview') go({ tab: 'overview', id: null });
        training.start();
      },
      quit,
      redraw,
      help: () => shell.dispatch({ reader: { kind: 'help', here: keymap.scopes } }),
      openBrowser:
        options.studioUrl === null
          ? undefined
          : () => void openBrowser(dashboard, `${options.studioUrl}/${toHash(shownAt)}`),
      commandLine: options.runCommand && (() => askCommand(dashboard)),
      back: trail.length > 0 || location.id !== null ? dashboard.back : undefined,
    },
    { layer: 'shell' },
  );
  return null;
}

function askCommand({ prompt, notify, shell }: Dashboard): void {
  prompt({
    scope: 'commandLine',
    label: ':svc ',
    value: '',
    submit(text) {
      const split = splitCommandLine(text);
      const problem = 'problem' in split ? split.problem : commandProblem(split.args);
      if (problem !== null || !('args' in split)) {
        notify(problem ?? '', 'warning');
        return text;
      }
      if (split.args.length > 0) shell.dispatch({ reader: { kind: 'command', args: split.args } });
      return null;
    },
  });
}

async function openBrowser({ options, notify }: Dashboard, url: string): Promise<void> {
  const reason = options.openBrowser ? await options.openBrowser(url) : 'none is available here';
  if (reason === null) notify('Opened in the browser.');
  else notify(`Could not open a browser: ${reason}. Open ${url} yourself.`, 'warning');
}

function ViewAt({ location }: { location: Location }) {
  const { tab, id, rows, requests, compare, data, cluster, evaluation, evaluations, job = null } = location;
  if (cluster) return <Cluster />;
  if (data) return <Data />;
  if (compare) return <Compare names={compare} />;
  if (evaluation) return <EvaluationView id={id!} />;
  if (tab === 'overview') return <Overview />;
  if (tab === 'playground') return <Playground job={job} />;
  if (evaluations) return <Evaluations tab={tab} id={id!} />;
  if (tab === 'jobs') {
    if (id === null) return <Jobs />;
    return rows === undefined ? <JobPage id={id} /> : <Rows jobId={id} rows={rows} />;
  }
  if (id === null) return <Deployments job={job} />;
  return requests ? <Kept deploymentId={id} /> : <DeploymentPage id={id} />;
}
