// A one-line text field. Text longer than the field shows its end.
import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { displayWidth, toSafeLine } from '../../../lib/console/index.js';

interface TextFieldProps {
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

/** Removes what no key types, such as the half of a surrogate pair left by deleting the other half. */
function toTyped(text: string): string {
  return toSafeLine(text.replace(/\p{Cs}/gu, ''));
}
