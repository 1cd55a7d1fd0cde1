// The last rows of a view: a question, a prompt, a notice or the view's status, in that order.
import { Box } from 'ink';
import type { ReactNode } from 'react';
import { displayWidth, messageRows, type Style } from '../../../lib/console/index.js';
import { Field } from '../components/field.js';
import { Line, SpanRows } from '../components/text.js';
import { useDashboard, useShell } from '../dashboard-context.js';
import { useCommands } from '../keys/commands.js';
import type { Prompt, Question } from '../state/shell-state.js';
import { useRoom } from '../terminal/look.js';

const MOST_ROWS = 3;

interface FootProps {
  /** Text next to a prompt. */
  readonly beside?: string | undefined;
  /** The view's own text field, in place of a prompt. */
  readonly field?: ReactNode;
  /** The view's status line. */
  readonly children?: ReactNode;
}

export function Foot({ beside = '', field, children }: FootProps) {
  const { question, prompt, identityProblem, linkProblem, ...shell } = useShell();
  if (question) return <QuestionFoot question={question} />;
  // What is wrong with the cloud is shown above every view.
  const notice = shell.notice?.text === linkProblem ? null : shell.notice;
  const unknown = identityProblem === linkProblem ? null : identityProblem;
  const message = notice ?? (unknown ? { text: unknown, tone: 'failed' as const } : null);
  if (prompt || field)
    return (
      <Box flexDirection="column" flexShrink={0}>
        {notice && <Told text={notice.text} style={{ tone: notice.tone }} />}
        {prompt ? <PromptFoot prompt={prompt} beside={beside} /> : field}
      </Box>
    );
  if (message) return <Told text={message.text} style={{ tone: message.tone }} />;
  return (
    <Box height={1} flexShrink={0} paddingLeft={1}>
      {children}
    </Box>
  );
}

function Told({ text, style }: { text: string; style: Style }) {
  const { width } = useRoom();
  return (
    <Box flexDirection="column" flexShrink={0} paddingLeft={1}>
      <SpanRows rows={messageRows(text, width - 2, style, MOST_ROWS)} />
    </Box>
  );
}

export function QuestionFoot({ question }: { question: Question }) {
  const { shell } = useDashboard();
  const answer = (act?: () => void) => () => {
    shell.dispatch({ question: null });
    act?.();
  };
  const [yes, no] = [answer(question.yes), answer()];
  useCommands(['question'], { yes, no, interrupt: question.isQuit ? yes : no }, { layer: 'question' });
  return <Told text={question.text} style={{ tone: 'warning', bold: true }} />;
}

function PromptFoot({ prompt, beside }: { prompt: Prompt; beside: string }) {
  const { shell } = useDashboard();
  const { scope, label, value } = prompt;
  const close = () => shell.dispatch({ prompt: null });
  const put = (text: string) => {
    if (shell.state.prompt) shell.dispatch({ prompt: { ...shell.state.prompt, value: text } });
  };
  const finish = (rest: string | null) => {
    const now = shell.state.prompt;
    // Meanwhile, another field may have been opened, or more been typed.
    if (now?.submit !== prompt.submit || now.value !== value) return;
    if (rest === null) close();
    else put(rest);
  };
  const type = (text: string) => {
    put(text);
    prompt.change?.(text);
  };
  useCommands(
    [scope, 'typing'],
    {
      submit() {
        const rest = prompt.submit(value);
        if (rest instanceof Promise) void rest.then(finish);
        else finish(rest);
      },
      leaveField() {
        if (!prompt.leave?.(value)) close();
      },
      clearField: () => type(''),
    },
    { layer: 'prompt', isTyping: true },
  );
  return <LabeledField key={scope} label={label} value={value} onChange={type} beside={beside} />;
}

interface LabeledFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Shown after it if it fits. */
  readonly beside?: string;
}

/** A text field across the whole view. */
export function LabeledField({ label, value, onChange, beside = '' }: LabeledFieldProps) {
  const { width } = useRoom();
  const besideText = displayWidth(beside) < width / 2 ? beside : '';
  const room = width - displayWidth(label) - displayWidth(besideText) - 3;
  return (
    <Box height={1} flexShrink={0} paddingLeft={1}>
      <Line bold tone="accent" width={displayWidth(label)}>
        {label}
      </Line>
      <Field value={value} onChange={onChange} width={room} />
      <Line dim>{` ${besideText}`}</Line>
    </Box>
  );
}
