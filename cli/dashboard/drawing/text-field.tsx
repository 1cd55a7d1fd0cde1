// One line of text being typed. What is longer than the field shows its end.
import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { displayWidth, toSafeLine } from '../../../lib/console/index.js';

export interface TextFieldProps {
  readonly value: string;
  readonly width: number;
  readonly onChange: (value: string) => void;
}

export function TextField({ value, width, onChange }: TextFieldProps) {
  const wanted = displayWidth(value) + 1;
  return (
    <Box width={width} height={1} overflow="hidden">
      <Box width={Math.max(width, wanted)} flexShrink={0} marginLeft={Math.min(0, width - wanted)}>
        <TextInput value={value} onChange={text => onChange(toTyped(text))} />
      </Box>
    </Box>
  );
}

/** Without what no key types: half of a character that was deleted in the middle among it. */
function toTyped(text: string): string {
  return toSafeLine(text.replace(/\p{Cs}/gu, ''));
}
