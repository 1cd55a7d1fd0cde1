// The form that creates an endpoint: one field per row, with its problem below.
import { Box } from 'ink';
import { useState } from 'react';
import { type DeploymentDraft, draftFields } from '../../../../lib/console/index.js';
import { Field } from '../../components/field.js';
import { Line, Text } from '../../components/text.js';
import { Paragraph, Problem } from '../../components/words.js';
import { useShell } from '../../dashboard-context.js';
import { neighborOf } from '../../hooks/use-list.js';
import { useCommands } from '../../keys/commands.js';
import { View } from '../../screen/view.js';
import { useGlyphs, useRoom } from '../../terminal/look.js';
import { type FieldName, noProblems, type OnCreated, useCreate, useForm } from './use-form.js';

const COLUMN = 14;
/** With fewer rows, there are no blank lines, and messages are short. */
const ROOMY = 16;

interface FormProps {
  readonly close: () => void;
  readonly onCreated: OnCreated;
}

export function Form({ close, onCreated }: FormProps) {
  const { width, height } = useRoom();
  const baseModel = useShell().identity?.baseModel ?? null;
  const [{ draft, problems, problem, isSending }, form] = useForm();
  const [focused, focus] = useState<FieldName>('slug');
  const create = useCreate(focus, onCreated);
  const fields = draftFields(draft, baseModel);
  const current = fields.find(({ name }) => name === focused);
  const isTyping = current !== undefined && !current.choices;

  function change(part: Partial<DeploymentDraft>): void {
    const fixed = Object.fromEntries(Object.keys(part).map(field => [field, undefined]));
    const left = 'kind' in part ? noProblems : { problems: { ...problems, ...fixed } };
    form.dispatch({ draft: { ...form.state.draft, ...part }, ...left });
  }
  const move = (distance: number) => () =>
    focus(neighborOf([...fields.map(({ name }) => name), 'create'], focused, distance));
  const choose = (distance: number) =>
    current?.choices &&
    (() => change({ [current.name]: neighborOf(current.choices!, draft[current.name], distance) }));
  useCommands(
    ['form', 'typing'],
    {
      nextField: move(1),
      previousField: move(-1),
      nextChoice: choose(1),
      previousChoice: choose(-1),
      submit: focused === 'create' ? create : move(1),
      create,
      leaveForm: close,
      ...(isTyping && { clearField: () => change({ [current.name]: '' }) }),
    },
    { isTyping },
  );

  const isRoomy = height >= ROOMY;
  return (
    <View>
      <Line bold> New endpoint</Line>
      {isRoomy && <Line> </Line>}
      {fields.map(({ name, label, rule, chosen, about }) => {
        const isFocused = name === focused;
        const wrong = problems[about];
        const hintText = wrong ?? (isFocused ? rule : undefined);
        return (
          <Box key={name} flexDirection="column" flexShrink={0}>
            <Box>
              <Label isFocused={isFocused} width={COLUMN} onClick={() => focus(name)}>
                {label}
              </Label>
              {chosen === undefined ? (
                <Field
                  value={draft[name]}
                  onChange={text => change({ [name]: text })}
                  isFocused={isFocused}
                  width={width - COLUMN - 1}
                  placeholder="–"
                />
              ) : (
                <Choice isFocused={isFocused}>{chosen}</Choice>
              )}
            </Box>
            {hintText !== undefined && (
              <Paragraph
                indent={COLUMN}
                limit={isRoomy ? 2 : 1}
                {...(wrong ? { tone: 'failed' } : { dim: true })}
              >
                {hintText}
              </Paragraph>
            )}
          </Box>
        );
      })}
      {isRoomy && <Line> </Line>}
      <Box flexShrink={0}>
        <Label isFocused={focused === 'create'} width={2} onClick={() => focus('create')} />
        <Line bold inverse={focused === 'create'}>
          {isSending ? ' Creating… ' : ' Create endpoint '}
        </Line>
      </Box>
      <Problem text={problem} limit={isRoomy ? 4 : 2} />
    </View>
  );
}

interface LabelProps {
  readonly isFocused: boolean;
  readonly width: number;
  readonly onClick: () => void;
  readonly children?: string;
}

function Label({ isFocused, children, ...line }: LabelProps) {
  const { prompt } = useGlyphs();
  return (
    <Line {...line}>
      <Text bold tone="accent">
        {isFocused ? `${prompt} ` : '  '}
      </Text>
      <Text bold={isFocused} dim={!isFocused}>
        {children}
      </Text>
    </Line>
  );
}

function Choice({ isFocused, children }: { isFocused: boolean; children: string }) {
  const { choice } = useGlyphs();
  const style = isFocused ? ({ tone: 'accent', bold: true } as const) : { dim: true };
  return (
    <Line>
      <Text {...style}>{`${choice[0]} `}</Text>
      {children}
      <Text {...style}>{` ${choice[1]}`}</Text>
    </Line>
  );
}
