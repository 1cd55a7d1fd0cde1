// Every key of the dashboard, in one table: what is pressed, where, what it does. Keys are found in it, and the hints
// and the help screen are drawn from it.

export interface Binding {
  readonly scope: Scope;
  readonly keys: readonly string[];
  readonly command: string;
  /** On the help screen. */
  readonly does: string;
  /** On the line of hints; without it there is none. */
  readonly hint?: string;
  /** The keys that the hint names, when they are not the first. */
  readonly hintKeys?: readonly string[];
  /** Always in view, at the end of the hints. */
  readonly isPinned?: true;
}

/** Where a key counts, and what that place is called on the help screen. */
export const SCOPES = {
  anywhere: 'Anywhere',
  list: 'In a list',
  overview: 'Overview',
  jobs: 'Jobs',
  job: 'Job',
  playground: 'Playground',
  picker: 'Choosing a job',
  endpoints: 'Endpoints',
  endpoint: 'Endpoint',
  form: 'New endpoint',
  typing: 'While typing',
  search: 'Searching',
  message: 'Writing a message',
  label: 'Naming a key',
  commandLine: 'Command line',
  reader: 'Help and output',
  question: 'A question',
} as const;

export type Scope = keyof typeof SCOPES;

// biome-ignore format: one binding, one line
export const BINDINGS = [
  { scope: 'overview', keys: ['R'], command: 'run', does: 'Run training', hint: 'run training' },
  { scope: 'overview', keys: ['enter'], command: 'openChosen', does: 'Open the job of the run', hint: 'open job' },
  { scope: 'overview', keys: ['up', 'k'], command: 'scrollUp', does: 'Scroll the output up', hint: 'scroll', hintKeys: ['up', 'down'] },
  { scope: 'overview', keys: ['down', 'j'], command: 'scrollDown', does: 'Scroll the output down' },
  { scope: 'overview', keys: ['pageup', 'ctrl-u'], command: 'pageUp', does: 'A page up' },
  { scope: 'overview', keys: ['pagedown', 'ctrl-d'], command: 'pageDown', does: 'A page down' },
  { scope: 'overview', keys: ['g', 'home'], command: 'toStart', does: 'To the beginning' },
  { scope: 'overview', keys: ['G', 'end'], command: 'follow', does: 'Follow the end', hint: 'follow' },

  { scope: 'jobs', keys: ['/'], command: 'search', does: 'Search in names and IDs', hint: 'search' },
  { scope: 'jobs', keys: ['f'], command: 'nextFilter', does: 'Filter by the next status', hint: 'filter' },
  { scope: 'jobs', keys: ['tab'], command: 'nextPage', does: 'IDs or dates, where not both fit' },
  { scope: 'list', keys: ['enter', 'right', 'l'], command: 'openChosen', does: 'Open', hint: 'open' },
  { scope: 'list', keys: ['up', 'k'], command: 'previous', does: 'The row above', hint: 'move', hintKeys: ['up', 'down'] },
  { scope: 'list', keys: ['down', 'j'], command: 'next', does: 'The row below' },
  { scope: 'list', keys: ['pageup', 'ctrl-u'], command: 'pageUp', does: 'A page up' },
  { scope: 'list', keys: ['pagedown', 'ctrl-d'], command: 'pageDown', does: 'A page down' },
  { scope: 'list', keys: ['g', 'home'], command: 'first', does: 'The first row' },
  { scope: 'list', keys: ['G', 'end'], command: 'last', does: 'The last row' },

  { scope: 'job', keys: ['tab'], command: 'nextPage', does: 'The next page, where not all fits', hint: 'page' },
  { scope: 'job', keys: ['left', 'h'], command: 'cursorLeft', does: "Move the chart's cursor left", hint: 'cursor', hintKeys: ['left', 'right'] },
  { scope: 'job', keys: ['right', 'l'], command: 'cursorRight', does: "Move the chart's cursor right" },
  { scope: 'job', keys: ['shift-left', 'H'], command: 'cursorFarLeft', does: 'Move it ten columns left' },
  { scope: 'job', keys: ['shift-right', 'L'], command: 'cursorFarRight', does: 'Move it ten columns right' },
  { scope: 'job', keys: [','], command: 'cursorStepLeft', does: 'Move it to the step before' },
  { scope: 'job', keys: ['.'], command: 'cursorStepRight', does: 'Move it to the step after' },
  { scope: 'job', keys: ['a'], command: 'toggleAdvanced', does: 'Advanced statistics', hint: 'advanced' },
  { scope: 'job', keys: ['y'], command: 'toggleLog', does: 'Log scale', hint: 'log scale' },
  { scope: 'job', keys: ['s'], command: 'toggleSmooth', does: 'Smoothing', hint: 'smooth' },
  { scope: 'job', keys: ['up', 'k'], command: 'scrollUp', does: 'Scroll the event log up', hint: 'log', hintKeys: ['up', 'down'] },
  { scope: 'job', keys: ['down', 'j'], command: 'scrollDown', does: 'Scroll the event log down' },
  { scope: 'job', keys: ['pageup', 'ctrl-u'], command: 'pageUp', does: 'A page up in the log' },
  { scope: 'job', keys: ['pagedown', 'ctrl-d'], command: 'pageDown', does: 'A page down in the log' },
  { scope: 'job', keys: ['g', 'home'], command: 'toStart', does: 'To the beginning of the log' },
  { scope: 'job', keys: ['G', 'end', 'f'], command: 'follow', does: 'Follow the end of the log', hint: 'follow' },

  { scope: 'playground', keys: ['enter', 'i'], command: 'write', does: 'Write a message', hint: 'write' },
  { scope: 'playground', keys: ['m'], command: 'nextMode', does: "Base model, or a job's adapter", hint: 'mode' },
  { scope: 'playground', keys: ['p'], command: 'pick', does: 'Choose the job whose adapter answers', hint: 'pick job' },
  { scope: 'playground', keys: ['x'], command: 'stop', does: 'Stop the answer', hint: 'stop' },
  { scope: 'playground', keys: ['n'], command: 'clearChat', does: 'Begin a new conversation', hint: 'new' },
  { scope: 'playground', keys: ['up', 'k'], command: 'scrollUp', does: 'Scroll up' },
  { scope: 'playground', keys: ['down', 'j'], command: 'scrollDown', does: 'Scroll down' },
  { scope: 'playground', keys: ['pageup', 'ctrl-u'], command: 'pageUp', does: 'A page up' },
  { scope: 'playground', keys: ['pagedown', 'ctrl-d'], command: 'pageDown', does: 'A page down' },
  { scope: 'playground', keys: ['g', 'home'], command: 'toStart', does: 'To the beginning' },
  { scope: 'playground', keys: ['G', 'end'], command: 'follow', does: 'Follow the end' },
  { scope: 'picker', keys: ['enter', 'right', 'l'], command: 'openChosen', does: 'Choose it', hint: 'choose' },
  { scope: 'picker', keys: ['escape'], command: 'leavePicker', does: 'Leave it as it was', hint: 'back', isPinned: true },

  { scope: 'endpoints', keys: ['n'], command: 'newEndpoint', does: 'New endpoint', hint: 'new endpoint' },
  { scope: 'form', keys: ['tab', 'down'], command: 'nextField', does: 'The next field', hint: 'next field' },
  { scope: 'form', keys: ['shift-tab', 'up'], command: 'previousField', does: 'The field before' },
  { scope: 'form', keys: ['left', 'h'], command: 'previousChoice', does: 'The choice before', hint: 'choose', hintKeys: ['left', 'right'] },
  { scope: 'form', keys: ['right', 'l', ' '], command: 'nextChoice', does: 'The next choice' },
  { scope: 'form', keys: ['enter'], command: 'submit', does: 'The next field, or create', hint: 'next' },
  { scope: 'form', keys: ['ctrl-s'], command: 'create', does: 'Create it', hint: 'create' },
  { scope: 'form', keys: ['escape'], command: 'leaveForm', does: 'Leave it; what is entered stays', hint: 'leave' },
  { scope: 'form', keys: ['?'], command: 'help', does: 'Help, outside of a text' },

  { scope: 'endpoint', keys: ['tab'], command: 'nextPage', does: 'Keys or quick start, if not both fit', hint: 'page' },
  { scope: 'endpoint', keys: ['i'], command: 'issueKey', does: 'Issue key', hint: 'issue key' },
  { scope: 'endpoint', keys: ['x'], command: 'revokeKey', does: 'Revoke the chosen key', hint: 'revoke' },
  { scope: 'endpoint', keys: ['up', 'k'], command: 'previous', does: 'The key above' },
  { scope: 'endpoint', keys: ['down', 'j'], command: 'next', does: 'The key below' },
  { scope: 'endpoint', keys: ['left', 'h'], command: 'previousLanguage', does: 'Quick start in the language before', hint: 'language', hintKeys: ['left', 'right'] },
  { scope: 'endpoint', keys: ['right', 'l'], command: 'nextLanguage', does: 'Quick start in the next language' },
  { scope: 'endpoint', keys: ['s'], command: 'copySample', does: 'Copy the quick-start sample', hint: 'copy sample' },
  { scope: 'endpoint', keys: ['e'], command: 'toggleEnabled', does: 'Enable or disable', hint: 'enable/disable' },
  { scope: 'endpoint', keys: ['m'], command: 'nextAuthMode', does: 'Change the auth mode', hint: 'auth mode' },

  { scope: 'search', keys: ['escape'], command: 'leaveField', does: 'Drop the search', hint: 'drop' },
  { scope: 'search', keys: ['enter', 'down'], command: 'submit', does: 'Keep it and go to the rows', hint: 'keep' },
  { scope: 'message', keys: ['escape'], command: 'leaveField', does: 'Stop the answer, or leave the message', hint: 'stop or leave' },
  { scope: 'message', keys: ['enter'], command: 'submit', does: 'Send', hint: 'send' },
  { scope: 'message', keys: ['up'], command: 'scrollUp', does: 'Scroll up', hint: 'scroll', hintKeys: ['up', 'down'] },
  { scope: 'message', keys: ['down'], command: 'scrollDown', does: 'Scroll down' },
  { scope: 'message', keys: ['pageup'], command: 'pageUp', does: 'A page up' },
  { scope: 'message', keys: ['pagedown'], command: 'pageDown', does: 'A page down' },
  { scope: 'label', keys: ['escape'], command: 'leaveField', does: 'Issue none', hint: 'leave' },
  { scope: 'label', keys: ['enter'], command: 'submit', does: 'Issue the key', hint: 'issue' },
  { scope: 'commandLine', keys: ['escape'], command: 'leaveField', does: 'Run nothing', hint: 'leave' },
  { scope: 'commandLine', keys: ['enter'], command: 'submit', does: 'Run it', hint: 'run' },
  { scope: 'typing', keys: ['ctrl-u'], command: 'clearField', does: 'Empty the field' },
  { scope: 'typing', keys: ['ctrl-c'], command: 'quit', does: 'Quit', hint: 'quit', isPinned: true },

  { scope: 'reader', keys: ['up', 'k'], command: 'scrollUp', does: 'Scroll up', hint: 'scroll', hintKeys: ['up', 'down'] },
  { scope: 'reader', keys: ['down', 'j'], command: 'scrollDown', does: 'Scroll down' },
  { scope: 'reader', keys: ['pageup', 'ctrl-u'], command: 'pageUp', does: 'A page up' },
  { scope: 'reader', keys: ['pagedown', 'ctrl-d', ' '], command: 'pageDown', does: 'A page down' },
  { scope: 'reader', keys: ['g', 'home'], command: 'toStart', does: 'To the beginning' },
  { scope: 'reader', keys: ['G', 'end'], command: 'follow', does: 'To the end' },
  { scope: 'reader', keys: ['escape', 'enter', 'q', '?'], command: 'leaveReader', does: 'Close', hint: 'close' },
  { scope: 'reader', keys: ['ctrl-c'], command: 'quit', does: 'Quit', hint: 'quit', isPinned: true },

  { scope: 'question', keys: ['y', 'Y', 'ctrl-c'], command: 'yes', does: 'Yes', hint: 'yes' },
  { scope: 'question', keys: ['n', 'N', 'escape', 'q'], command: 'no', does: 'No', hint: 'no' },

  { scope: 'anywhere', keys: ['escape'], command: 'back', does: 'Go back', hint: 'back', isPinned: true },
  { scope: 'anywhere', keys: ['r'], command: 'refresh', does: 'Refresh', hint: 'refresh' },
  { scope: 'anywhere', keys: ['c'], command: 'copy', does: 'Copy: an ID, a URL, a key, an answer', hint: 'copy' },
  { scope: 'anywhere', keys: ['o'], command: 'openBrowser', does: 'Open this in the browser', hint: 'browser' },
  { scope: 'anywhere', keys: [':'], command: 'commandLine', does: 'Run a command of svc', hint: 'command' },
  { scope: 'anywhere', keys: ['R'], command: 'run', does: 'Run training' },
  { scope: 'anywhere', keys: ['ctrl-l'], command: 'redraw', does: 'Draw the screen again' },
  { scope: 'anywhere', keys: ['1'], command: 'showOverview', does: 'Overview' },
  { scope: 'anywhere', keys: ['2'], command: 'showJobs', does: 'Jobs' },
  { scope: 'anywhere', keys: ['3'], command: 'showPlayground', does: 'Playground' },
  { scope: 'anywhere', keys: ['4'], command: 'showEndpoints', does: 'Endpoints' },
  { scope: 'anywhere', keys: ['?'], command: 'help', does: 'Help', hint: 'help', isPinned: true },
  { scope: 'anywhere', keys: ['q', 'ctrl-c'], command: 'quit', does: 'Quit', hint: 'quit', isPinned: true },
] as const satisfies readonly Binding[];

export type CommandName = (typeof BINDINGS)[number]['command'];
export type Commands = { readonly [name in CommandName]?: () => void };

type Bound = Binding & { readonly command: CommandName };

/** The command of a key: of the innermost scope that knows it, among the commands that would do something. */
export function findCommand(
  scopes: readonly Scope[],
  key: string,
  offers: (command: CommandName) => boolean,
): CommandName | null {
  const found = scopes.flatMap(inScope).find(({ keys, command }) => keys.includes(key) && offers(command));
  return found?.command ?? null;
}

/** The bindings that count in these scopes, the innermost first, without those that another hides. */
export function bindingsIn(scopes: readonly Scope[]): Bound[] {
  const taken = new Set<string>();
  return scopes.flatMap(inScope).filter(({ keys, command }) => {
    const isFree = keys.some(key => !taken.has(key)) && !taken.has(command);
    for (const word of [...keys, command]) taken.add(word);
    return isFree;
  });
}

function inScope(scope: Scope): Bound[] {
  return (BINDINGS as readonly Bound[]).filter(binding => binding.scope === scope);
}
