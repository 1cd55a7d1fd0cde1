// The dashboard's key bindings: the key, where it works and what it does. Key handling, hints and the help
// screen all use this table. The keys that edit and filter jobs are in the table of job fields.
import { SEARCH_WORDS, VALUE_FILTERS } from '../../../lib/console/index.js';
import { jobFieldsWith } from '../../../lib/contract/index.js';

interface Binding {
  /** A key that opens a view is in the scope of the view where it is pressed. */
  readonly scope: Scope;
  readonly keys: readonly string[];
  /** Shared by several scopes if they have similar commands, such as `nextFilter`. */
  readonly command: string;
  /** The text on the help screen. */
  readonly does: string;
  /** The text in the hint line; without it there is no hint. */
  readonly hint?: string;
  /** The keys shown in the hint, if not the first one. */
  readonly hintKeys?: readonly string[];
  /** Always shown, at the end of the hints. */
  readonly isPinned?: true;
}

/** Where a key works, with the heading for it on the help screen. */
export const SCOPES = {
  anywhere: 'Anywhere',
  list: 'In a list',
  overview: 'Overview',
  data: 'What is learned',
  jobs: 'Jobs',
  choosing: 'Choosing runs to compare',
  job: 'Job',
  chart: 'Chart',
  text: 'Where text scrolls',
  rows: 'Rows of a job',
  playground: 'Playground',
  picker: 'Choosing a job',
  deployments: 'Endpoints',
  deployment: 'Endpoint',
  kept: 'Kept requests',
  evaluations: 'Evaluations',
  evaluation: 'Evaluation',
  form: 'New endpoint',
  typing: 'While typing',
  search: 'Searching',
  message: 'Writing a message',
  saving: 'Saving rows',
  naming: 'Naming a file',
  label: 'Naming a key',
  correction: 'Correcting an answer',
  editing: 'Editing a job',
  commandLine: 'Command line',
  reader: 'Help and output',
  tooSmall: 'In a terminal that is too small',
  question: 'Answering a question',
} as const;

export type Scope = keyof typeof SCOPES;

/** The command that edits a field of a job, or narrows the list by it. */
export function commandOf<Act extends string, Name extends string>(act: Act, name: Name): `${Act}:${Name}` {
  return `${act}:${name}`;
}

const filterBindings = VALUE_FILTERS.map(({ name, label, kind, key }) => {
  const noun = label.toLowerCase();
  const does = kind === 'tags' ? `Only jobs with some ${noun}` : `Only jobs with a given ${noun}`;
  return { scope: 'jobs', keys: [key], command: commandOf('filter', name), does, hint: noun } as const;
});

function editBindings(scope: Scope) {
  return jobFieldsWith('edit').map(({ name, label, edit }) => {
    const does = name === 'name' ? 'Rename the job' : `Edit its ${label.toLowerCase()}`;
    return { scope, keys: [edit.key], command: commandOf('edit', name), does };
  });
}

// biome-ignore format: one binding, one line
const BINDINGS = [
  { scope: 'overview', keys: ['R'], command: 'run', does: 'Run training', hint: 'run training' },
  { scope: 'overview', keys: ['w'], command: 'showData', does: 'What is learned from the data', hint: 'data' },
  { scope: 'overview', keys: ['n'], command: 'showCluster', does: 'The cluster that the cloud trains on, if any' },
  { scope: 'overview', keys: ['enter'], command: 'openChosen', does: "Open the run's job", hint: 'open job' },
  { scope: 'overview', keys: ['G', 'end'], command: 'follow', does: 'Follow the output', hint: 'follow' },

  { scope: 'data', keys: ['f'], command: 'nextFilter', does: 'All rows, or those with the next finding', hint: 'findings' },
  { scope: 'data', keys: ['m'], command: 'measure', does: 'Measure how long a run takes', hint: 'measure' },
  { scope: 'data', keys: ['s'], command: 'saveRows', does: 'Save all rows as a new file', hint: 'save rows' },
  { scope: 'data', keys: ['t'], command: 'toggleLengths', does: 'Tokens per row, or the chosen row', hint: 'lengths' },

  { scope: 'jobs', keys: ['/'], command: 'search', does: `Search names and IDs, or with ${SEARCH_WORDS} those`, hint: 'search' },
  { scope: 'jobs', keys: ['f'], command: 'nextFilter', does: 'Next status filter', hint: 'filter' },
  { scope: 'jobs', keys: ['tab'], command: 'nextPage', does: 'Switch between IDs and dates' },
  ...filterBindings,
  { scope: 'jobs', keys: ['s'], command: 'toggleSweep', does: 'Only the runs of its sweep, or all jobs', hint: 'sweep' },
  { scope: 'jobs', keys: ['v'], command: 'nextColumns', does: 'Columns: dates and IDs, results, settings that vary', hint: 'columns' },
  ...editBindings('jobs'),
  { scope: 'list', keys: ['enter', 'right', 'l'], command: 'openChosen', does: 'Open', hint: 'open' },
  { scope: 'list', keys: ['up', 'k'], command: 'previous', does: 'Previous row', hint: 'move', hintKeys: ['up', 'down'] },
  { scope: 'list', keys: ['down', 'j'], command: 'next', does: 'Next row' },
  { scope: 'list', keys: ['pageup', 'ctrl-u'], command: 'pageUp', does: 'Page up' },
  { scope: 'list', keys: ['pagedown', 'ctrl-d'], command: 'pageDown', does: 'Page down' },
  { scope: 'list', keys: ['g', 'home'], command: 'first', does: 'First row' },
  { scope: 'list', keys: ['G', 'end'], command: 'last', does: 'Last row' },
  { scope: 'list', keys: ['K'], command: 'scrollUp', does: "Scroll the selected row's text up", hint: 'scroll', hintKeys: ['K', 'J'] },
  { scope: 'list', keys: ['J'], command: 'scrollDown', does: "Scroll the selected row's text down" },

  { scope: 'choosing', keys: [' '], command: 'toggleCompared', does: 'Choose the run to compare it', hint: 'choose' },
  { scope: 'choosing', keys: ['C'], command: 'compare', does: 'Compare the chosen runs', hint: 'compare' },

  { scope: 'job', keys: ['tab'], command: 'nextPage', does: 'Next page: overview, details, event log', hint: 'page' },
  { scope: 'job', keys: ['C'], command: 'chat', does: 'Chat with the final adapter', hint: 'chat' },
  { scope: 'job', keys: ['P'], command: 'publish', does: 'Publish the final adapter', hint: 'publish' },
  { scope: 'job', keys: ['<'], command: 'previousSample', does: 'Samples and answers: the step before', hint: 'earlier' },
  { scope: 'job', keys: ['>'], command: 'nextSample', does: 'Samples and answers: the next step', hint: 'later' },
  { scope: 'job', keys: ['['], command: 'previousJob', does: 'Previous job of the list', hint: 'job', hintKeys: ['[', ']'] },
  { scope: 'job', keys: [']'], command: 'nextJob', does: 'Next job of the list' },
  { scope: 'job', keys: ['S'], command: 'toggleSamples', does: 'What each checkpoint answered', hint: 'samples' },
  { scope: 'job', keys: ['A'], command: 'toggleAnswers', does: 'Answers of a step with their rewards', hint: 'answers' },
  { scope: 'job', keys: ['E'], command: 'showEvaluations', does: 'Evaluations: is it better?', hint: 'evaluations' },
  { scope: 'job', keys: ['enter'], command: 'showStepRows', does: "Rows of the step at the chart's cursor", hint: 'rows of step' },
  { scope: 'job', keys: ['w'], command: 'showRows', does: 'Rows learned worst', hint: 'rows' },
  { scope: 'job', keys: ['F'], command: 'openStart', does: 'Open the job that it went on from', hint: 'from' },
  { scope: 'job', keys: ['a'], command: 'toggleAdvanced', does: 'Advanced statistics', hint: 'advanced' },
  { scope: 'job', keys: ['/'], command: 'search', does: 'Search the event log' },
  { scope: 'job', keys: ['e'], command: 'nextFilter', does: 'Event log: only one type of event' },
  { scope: 'job', keys: ['t'], command: 'toggleTimes', does: 'Event log: times' },
  { scope: 'job', keys: ['v'], command: 'toggleReadable', does: 'Event log: words instead of JSON' },
  ...editBindings('job'),
  { scope: 'job', keys: ['G', 'end', 'f'], command: 'follow', does: 'Go to the end, and follow the log' },

  { scope: 'chart', keys: ['left', 'h'], command: 'cursorLeft', does: "Move the chart's cursor left", hint: 'cursor', hintKeys: ['left', 'right'] },
  { scope: 'chart', keys: ['right', 'l'], command: 'cursorRight', does: "Move the chart's cursor right" },
  { scope: 'chart', keys: ['shift-left', 'H'], command: 'cursorFarLeft', does: 'Move it ten columns left' },
  { scope: 'chart', keys: ['shift-right', 'L'], command: 'cursorFarRight', does: 'Move it ten columns right' },
  { scope: 'chart', keys: [','], command: 'cursorStepLeft', does: 'Move it to the previous step' },
  { scope: 'chart', keys: ['.'], command: 'cursorStepRight', does: 'Move it to the next step' },
  { scope: 'chart', keys: ['m'], command: 'nextMetric', does: 'Next chart: loss, learning rate, speed, memory…', hint: 'chart' },
  { scope: 'chart', keys: ['y'], command: 'toggleLog', does: 'Log scale', hint: 'log scale' },
  { scope: 'chart', keys: ['s'], command: 'toggleSmooth', does: 'Smoothing', hint: 'smooth' },
  { scope: 'chart', keys: ['x'], command: 'nextXAxis', does: 'x-axis: steps, tokens, epochs or time', hint: 'x-axis' },
  { scope: 'chart', keys: ['b'], command: 'toggleBraille', does: 'Braille: finer lines', hint: 'braille' },
  { scope: 'chart', keys: ['i'], command: 'toggleOutliers', does: 'Ignore outliers' },
  { scope: 'chart', keys: ['p'], command: 'togglePlannedEnd', does: 'x-axis to the planned end of the run' },
  { scope: 'chart', keys: ['+', '='], command: 'zoomIn', does: "Zoom in around the chart's cursor" },
  { scope: 'chart', keys: ['-'], command: 'zoomOut', does: 'Zoom out' },
  { scope: 'chart', keys: ['0'], command: 'resetZoom', does: 'Show the whole run' },

  { scope: 'text', keys: ['up', 'k'], command: 'scrollUp', does: 'Scroll up', hint: 'scroll', hintKeys: ['up', 'down'] },
  { scope: 'text', keys: ['down', 'j'], command: 'scrollDown', does: 'Scroll down' },
  { scope: 'text', keys: ['pageup', 'ctrl-u'], command: 'pageUp', does: 'Page up' },
  { scope: 'text', keys: ['pagedown', 'ctrl-d'], command: 'pageDown', does: 'Page down' },
  { scope: 'text', keys: ['g', 'home'], command: 'toStart', does: 'Go to the start' },
  { scope: 'text', keys: ['G', 'end'], command: 'follow', does: 'Go to the end, and follow it' },

  { scope: 'rows', keys: ['f'], command: 'nextFilter', does: 'All rows, or those whose loss rises', hint: 'rising' },

  { scope: 'playground', keys: ['enter', 'i'], command: 'write', does: 'Write a message', hint: 'write' },
  { scope: 'playground', keys: ['m'], command: 'nextMode', does: 'Switch between base model and adapter', hint: 'mode' },
  { scope: 'playground', keys: ['p'], command: 'pick', does: 'Choose a job to chat with its adapter', hint: 'pick job' },
  { scope: 'playground', keys: ['b'], command: 'toggleBeside', does: 'Chat with a second model as well', hint: 'side by side' },
  { scope: 'playground', keys: ['B'], command: 'nextBeside', does: 'Second model: the base model, or the next job', hint: 'second model' },
  { scope: 'playground', keys: ['a'], command: 'retry', does: 'Ask the last question again', hint: 'retry' },
  { scope: 'playground', keys: ['t'], command: 'toggleThoughts', does: 'Show or hide what the model thought', hint: 'thoughts' },
  { scope: 'playground', keys: ['s'], command: 'saveRows', does: 'Append the answers to a file of rows to train on', hint: 'save rows' },
  { scope: 'playground', keys: ['S'], command: 'saveBeside', does: 'The same for the answers of the second model' },
  { scope: 'playground', keys: ['x'], command: 'stop', does: 'Stop the answer', hint: 'stop' },
  { scope: 'playground', keys: ['n'], command: 'clearChat', does: 'Start a new conversation', hint: 'new' },
  { scope: 'picker', keys: ['enter', 'right', 'l'], command: 'openChosen', does: 'Choose this job', hint: 'choose' },
  { scope: 'picker', keys: ['escape'], command: 'leavePicker', does: 'Keep the current choice', hint: 'back', isPinned: true },

  { scope: 'deployments', keys: ['n'], command: 'newEndpoint', does: 'New endpoint', hint: 'new endpoint' },
  { scope: 'form', keys: ['tab', 'down'], command: 'nextField', does: 'Next field', hint: 'next field' },
  { scope: 'form', keys: ['shift-tab', 'up'], command: 'previousField', does: 'Previous field' },
  { scope: 'form', keys: ['ctrl-s'], command: 'create', does: 'Create the endpoint', hint: 'create' },
  { scope: 'form', keys: ['left', 'h'], command: 'previousChoice', does: 'Previous choice', hint: 'choose', hintKeys: ['left', 'right'] },
  { scope: 'form', keys: ['right', 'l', ' '], command: 'nextChoice', does: 'Next choice' },
  { scope: 'form', keys: ['escape'], command: 'leaveForm', does: 'Close the form; entries are kept', hint: 'close', isPinned: true },
  { scope: 'form', keys: ['enter'], command: 'submit', does: 'Next field, or create', hint: 'next' },
  { scope: 'form', keys: ['?'], command: 'help', does: 'Help (when not typing)' },

  { scope: 'kept', keys: ['+', 'y'], command: 'markGood', does: 'Mark the answer as good', hint: 'good' },
  { scope: 'kept', keys: ['-', 'n'], command: 'markBad', does: 'Mark the answer as bad', hint: 'bad' },
  { scope: 'kept', keys: ['e'], command: 'correct', does: 'Correct the answer', hint: 'correct' },
  { scope: 'kept', keys: ['0', 'u'], command: 'unmark', does: 'Take the mark back', hint: 'unmark' },
  { scope: 'kept', keys: ['x'], command: 'deleteKept', does: 'Delete the request and its answer', hint: 'delete' },
  { scope: 'kept', keys: ['f'], command: 'nextFilter', does: 'Next filter: all, unmarked, good, bad, corrected', hint: 'filter' },

  { scope: 'evaluation', keys: ['tab'], command: 'nextPage', does: 'Next page: summary, rows', hint: 'page' },
  { scope: 'evaluation', keys: ['f'], command: 'nextFilter', does: 'All rows, or only changed answers', hint: 'changed' },
  { scope: 'evaluation', keys: ['x'], command: 'deleteEvaluation', does: 'Delete the evaluation and its rows', hint: 'delete' },

  { scope: 'deployment', keys: ['tab'], command: 'nextPage', does: 'Next page: keys, quick start', hint: 'page' },
  { scope: 'deployment', keys: ['i'], command: 'issueKey', does: 'Issue key', hint: 'issue key' },
  { scope: 'deployment', keys: ['x'], command: 'revokeKey', does: 'Revoke the selected key', hint: 'revoke' },
  { scope: 'deployment', keys: ['up', 'k'], command: 'previous', does: 'Previous key, or sample up' },
  { scope: 'deployment', keys: ['down', 'j'], command: 'next', does: 'Next key, or sample down' },
  { scope: 'deployment', keys: ['left', 'h'], command: 'previousLanguage', does: 'Quick start: previous language', hint: 'language', hintKeys: ['left', 'right'] },
  { scope: 'deployment', keys: ['right', 'l'], command: 'nextLanguage', does: 'Quick start: next language' },
  { scope: 'deployment', keys: ['u'], command: 'copyCall', does: 'Copy a new key as a cURL call', hint: 'copy as cURL' },
  { scope: 'deployment', keys: ['s'], command: 'copySample', does: 'Copy the quick-start sample', hint: 'copy sample' },
  { scope: 'deployment', keys: ['w'], command: 'showRequests', does: 'Requests that it keeps', hint: 'requests' },
  { scope: 'deployment', keys: ['E'], command: 'showEvaluations', does: 'Evaluations: is it better?', hint: 'evaluations' },
  { scope: 'deployment', keys: ['e'], command: 'toggleEnabled', does: 'Enable or disable', hint: 'enable/disable' },
  { scope: 'deployment', keys: ['m'], command: 'nextAuthMode', does: 'Change the auth mode', hint: 'auth mode' },
  { scope: 'deployment', keys: ['g'], command: 'toggleGate', does: 'Follow only what has passed svc ship, or anything', hint: 'gate' },
  { scope: 'deployment', keys: ['p'], command: 'promote', does: 'Promote the canary', hint: 'promote canary' },
  { scope: 'deployment', keys: ['z'], command: 'endCanary', does: 'End the canary', hint: 'end canary' },

  { scope: 'search', keys: ['escape'], command: 'leaveField', does: 'Clear the search', hint: 'clear' },
  { scope: 'search', keys: ['enter', 'down'], command: 'submit', does: 'Go to results', hint: 'results' },
  { scope: 'message', keys: ['escape'], command: 'leaveField', does: 'Stop the answer, or close the field', hint: 'stop or close' },
  { scope: 'message', keys: ['enter'], command: 'submit', does: 'Send', hint: 'send' },
  { scope: 'message', keys: ['up'], command: 'scrollUp', does: 'Scroll up', hint: 'scroll', hintKeys: ['up', 'down'] },
  { scope: 'message', keys: ['down'], command: 'scrollDown', does: 'Scroll down' },
  { scope: 'message', keys: ['pageup'], command: 'pageUp', does: 'Page up' },
  { scope: 'message', keys: ['pagedown'], command: 'pageDown', does: 'Page down' },
  { scope: 'editing', keys: ['enter'], command: 'submit', does: 'Save', hint: 'save' },
  { scope: 'correction', keys: ['enter'], command: 'submit', does: 'Save the correct answer', hint: 'save' },

  { scope: 'saving', keys: ['enter'], command: 'submit', does: 'Append to this file', hint: 'append' },
  { scope: 'naming', keys: ['enter'], command: 'submit', does: 'Save as this new file', hint: 'save' },
  { scope: 'label', keys: ['enter'], command: 'submit', does: 'Issue the key', hint: 'issue' },
  { scope: 'commandLine', keys: ['enter'], command: 'submit', does: 'Run the command', hint: 'run' },
  { scope: 'typing', keys: ['escape'], command: 'leaveField', does: 'Cancel', hint: 'cancel' },
  { scope: 'typing', keys: ['ctrl-u'], command: 'clearField', does: 'Clear the field' },
  { scope: 'typing', keys: ['ctrl-c'], command: 'quit', does: 'Quit', hint: 'quit', isPinned: true },

  { scope: 'reader', keys: [' '], command: 'pageDown', does: 'Page down' },
  { scope: 'reader', keys: ['escape', 'enter', 'q', '?'], command: 'leaveReader', does: 'Close', hint: 'close' },
  { scope: 'reader', keys: ['ctrl-c'], command: 'quit', does: 'Quit', hint: 'quit', isPinned: true },

  { scope: 'tooSmall', keys: ['q', 'ctrl-c'], command: 'quit', does: 'Quit' },

  { scope: 'question', keys: ['y', 'Y'], command: 'yes', does: 'Yes', hint: 'yes' },
  { scope: 'question', keys: ['n', 'N', 'escape', 'q'], command: 'no', does: 'No', hint: 'no' },
  { scope: 'question', keys: ['ctrl-c'], command: 'interrupt', does: 'No; yes if asked whether to quit' },

  { scope: 'anywhere', keys: ['escape'], command: 'back', does: 'Go back', hint: 'back', isPinned: true },
  { scope: 'anywhere', keys: ['r'], command: 'refresh', does: 'Refresh', hint: 'refresh' },
  { scope: 'anywhere', keys: ['c'], command: 'copy', does: 'Copy the ID, URL, key or answer', hint: 'copy' },
  { scope: 'anywhere', keys: ['o'], command: 'openBrowser', does: 'Open this view in the browser', hint: 'browser' },
  { scope: 'anywhere', keys: [':'], command: 'commandLine', does: 'Run an svc command', hint: 'command' },
  { scope: 'anywhere', keys: ['R'], command: 'run', does: 'Run training' },
  { scope: 'anywhere', keys: ['ctrl-l'], command: 'redraw', does: 'Redraw the screen' },
  { scope: 'anywhere', keys: ['1'], command: 'showOverview', does: 'Overview' },
  { scope: 'anywhere', keys: ['2'], command: 'showJobs', does: 'Jobs' },
  { scope: 'anywhere', keys: ['3'], command: 'showPlayground', does: 'Playground' },
  { scope: 'anywhere', keys: ['4'], command: 'showEndpoints', does: 'Endpoints' },
  { scope: 'anywhere', keys: ['?'], command: 'help', does: 'Help', hint: 'help', isPinned: true },
  { scope: 'anywhere', keys: ['q', 'ctrl-c'], command: 'quit', does: 'Quit', hint: 'quit', isPinned: true },
] as const satisfies readonly Binding[];

export type CommandName = (typeof BINDINGS)[number]['command'];
export type Commands = { readonly [name in CommandName]?: (() => void) | undefined };

export type Bound = Binding & { readonly command: CommandName };

/** The command for a key: the innermost scope that binds it to an available command wins. */
export function findCommand(
  scopes: readonly Scope[],
  key: string,
  offers: (command: CommandName) => boolean,
): CommandName | null {
  const found = scopes.flatMap(inScope).find(({ keys, command }) => keys.includes(key) && offers(command));
  return found?.command ?? null;
}

/** The bindings that work in these scopes, innermost first, without shadowed ones. */
export function bindingsIn(scopes: readonly Scope[]): Bound[] {
  const taken = new Set<string>();
  return scopes.flatMap(inScope).filter(({ keys, command }) => {
    const isFree = keys.some(key => !taken.has(key)) && !taken.has(command);
    for (const word of [...keys, command]) taken.add(word);
    return isFree;
  });
}

export function inScope(scope: Scope): Bound[] {
  return (BINDINGS as readonly Bound[]).filter(binding => binding.scope === scope);
}
